"""What the add-on does without Blender: results by frame, files of bakes and frames, runs of scenes. Nothing here
imports bpy."""
