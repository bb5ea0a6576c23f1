// The ground: the height grid as one shaded surface with a fine metre grid, or a plane under the tracks.
import {BufferGeometry, Color, Float32BufferAttribute, Mesh, MeshStandardMaterial, PlaneGeometry} from 'three';

/** Height of the ground at (x, y); 0 without a height grid. */
export function groundHeight(terrain, x, y) {
  if (!terrain) return 0;
  const {nx, ny, spacing, x0, y0, heights} = terrain;
  const u = Math.min(nx - 1, Math.max(0, (x - x0) / spacing));
  const v = Math.min(ny - 1, Math.max(0, (y - y0) / spacing));
  const i = Math.min(nx - 2, Math.floor(u));
  const j = Math.min(ny - 2, Math.floor(v));
  const at = (a, b) => heights[b * nx + a];
  const low = at(i, j) + (u - i) * (at(i + 1, j) - at(i, j));
  const high = at(i, j + 1) + (u - i) * (at(i + 1, j + 1) - at(i, j + 1));
  return low + (v - j) * (high - low);
}

function gridGeometry({nx, ny, spacing, x0, y0, heights}) {
  const positions = new Float32Array(3 * nx * ny);
  for (let j = 0, k = 0; j < ny; ++j) {
    for (let i = 0; i < nx; ++i) {
      positions[k++] = x0 + i * spacing;
      positions[k++] = y0 + j * spacing;
      positions[k++] = heights[j * nx + i];
    }
  }
  const indices = [];
  for (let j = 0; j + 1 < ny; ++j) {
    for (let i = 0; i + 1 < nx; ++i) {
      const a = j * nx + i;
      indices.push(a, a + 1, a + nx + 1, a, a + nx + 1, a + nx);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setIndex(indices);
  geometry.computeVertexNormals();
  return geometry;
}

// Lines every half metre, drawn in the ground's own shader so that they follow every bump.
const gridShader = `
  vec2 cell = vGround.xy * 2.0;
  vec2 distance = abs(fract(cell - 0.5) - 0.5) / fwidth(cell);
  float line = 1.0 - min(min(distance.x, distance.y), 1.0);
  diffuseColor.rgb = mix(diffuseColor.rgb, gridColor, 0.35 * line);`;

function groundMaterial(colors) {
  const material = new MeshStandardMaterial({color: colors.ground, roughness: 0.95});
  material.onBeforeCompile = (shader) => {
    shader.uniforms.gridColor = {value: new Color(colors.groundLine)};
    shader.vertexShader = shader.vertexShader.replace('#include <common>', '#include <common>\nvarying vec3 vGround;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvGround = position;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vGround;\nuniform vec3 gridColor;')
      .replace('#include <color_fragment>', `#include <color_fragment>\n${gridShader}`);
  };
  return material;
}

/** @param colors {ground, groundLine} */
export function buildGround(terrain, colors) {
  const geometry = terrain ? gridGeometry(terrain) : new PlaneGeometry(200, 200);
  const ground = new Mesh(geometry, groundMaterial(colors));
  ground.receiveShadow = true;
  return ground;
}
