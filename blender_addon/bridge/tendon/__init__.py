"""Tendon rigs as data: what each object of a rig is, and how a rig becomes a scene and a scene a rig.

A rig is a collection. `kinds` lists what may stand in a scene, `fields` says what Blender makes of an attribute, and
`props` makes the groups of properties; `rig_parts` finds the objects of a rig. `load` turns a scene into objects and
`store` turns objects into a scene, keeping the text of everything that has not been changed; `places` keeps what was
modelled apart from what is simulated, and `show` moves bodies and draws tubes. `overlooked` finds what the simulation
ignores, `collapsed` what is squeezed into the origin. `following` lets bodies and bones follow each other; `ties` gives
copies names of their own."""
