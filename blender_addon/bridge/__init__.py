"""Carries data between Blender and core: properties, what goes in, what comes out, frames."""
