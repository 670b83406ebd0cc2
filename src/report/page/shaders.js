"use strict";

// The shaders. Light comes from next to the camera, so that no side of the body is ever dark.
const shaders = {
  vertex: `#version 300 es
    uniform mat4 transform;
    in vec3 position;
    in vec3 normal;
    in vec2 uv;
    in float value;
    out vec3 at;
    out vec3 side;
    out vec2 place;
    out float level;
    void main() {
      at = position;
      side = normal;
      place = uv;
      level = value;
      gl_Position = transform * vec4(position, 1.0);
    }`,

  fragment: `#version 300 es
    precision highp float;
    uniform sampler2D picture;
    uniform sampler2D ramp;
    uniform bool has_picture;
    uniform bool has_overlay;
    uniform float cells;
    uniform bool has_plain;
    uniform vec4 plain;
    uniform vec3 eye;
    uniform vec3 light;
    in vec3 at;
    in vec3 side;
    in vec2 place;
    in float level;
    out vec4 colour;

    // The coverage of a pixel by the second of two stripes of width 1, and by a line around integers.
    float stripe(float x, float soft) {
      float wave = abs(mod(x, 2.0) - 1.0) - 0.5;
      return clamp(wave / soft + 0.5, 0.0, 1.0);
    }
    float line(float x, float soft, float width) {
      float away = abs(fract(x + 0.5) - 0.5);
      return 1.0 - smoothstep(width, width + soft, away);
    }

    vec3 checker(vec2 p) {
      vec2 soft = max(fwidth(p), vec2(1e-5));
      float u = stripe(p.x + 0.5, soft.x), v = stripe(p.y + 0.5, soft.y);
      float odd = u + v - 2.0 * u * v;
      // Too far away for single cells: their mean.
      odd = mix(odd, 0.5, clamp(2.0 * max(soft.x, soft.y) - 1.0, 0.0, 1.0));
      vec3 base = mix(vec3(0.90, 0.88, 0.84), vec3(0.46, 0.52, 0.60), odd);
      vec2 wide = p / 4.0, blur = soft / 4.0;
      float lines = max(line(wide.x, blur.x * 1.5, 0.02), line(wide.y, blur.y * 1.5, 0.02));
      return mix(base, vec3(0.78, 0.30, 0.18), lines * clamp(1.5 - 2.0 * max(blur.x, blur.y), 0.0, 1.0));
    }

    void main() {
      vec3 skin = has_plain ? plain.rgb : has_picture ? texture(picture, vec2(place.x, 1.0 - place.y)).rgb : checker(place * cells);
      if (has_overlay) {
        // A trace of the picture stays, so that sliding can be followed.
        float grey = dot(skin, vec3(0.3, 0.59, 0.11));
        skin = texture(ramp, vec2(clamp(level, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb * (has_plain ? 1.0 : mix(0.9, 1.06, grey));
      }
      vec3 to_eye = normalize(eye - at);
      vec3 n = normalize(side);
      if (dot(n, to_eye) < 0.0) n = -n;
      float lit = 0.5 + 0.5 * dot(n, light);
      float rim = 1.0 - dot(n, to_eye);
      float shade = 0.42 + 0.62 * lit - 0.10 * rim * rim;
      float gleam = 0.06 * pow(max(dot(n, normalize(light + to_eye)), 0.0), 30.0);
      // A veil over muscles is denser where it is seen from the side, as real ones are.
      float alpha = has_plain ? mix(plain.a, 1.0, plain.a < 1.0 ? 0.45 * rim * rim : 0.0) : 1.0;
      colour = vec4(skin * shade + gleam, 1.0) * alpha;
    }`,
};
