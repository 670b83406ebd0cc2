"""What the add-on does without Blender: the library, its nodes, results by frame. Nothing here imports bpy."""
