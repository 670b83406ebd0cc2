"""Panels and preferences."""
