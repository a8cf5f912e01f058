// The stool under a body whose roster entry has a seat.

import { Group, LatheGeometry, Mesh, MeshStandardMaterial, Vector2 } from 'three';

const CUSHION = new MeshStandardMaterial({ color: 0x3b4456, roughness: 0.75 });
const METAL = new MeshStandardMaterial({ color: 0x9aa4b5, roughness: 0.3, metalness: 0.85 });

/** The mesh that a profile, [radius, height] pairs, makes when it turns about the vertical axis. */
function lathe(outline, material) {
  const points = outline.map(([r, y]) => new Vector2(r, y));
  const mesh = new Mesh(new LatheGeometry(points, 40), material);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

/** A round stool with its top `height` metres above the floor. */
export function makeStool(height) {
  const stool = new Group();
  const thick = Math.min(0.065, 0.4 * height);
  const low = height - thick;
  stool.add(lathe([[0, low], [0.165, low], [0.182, low + 0.2 * thick], [0.188, low + 0.5 * thick],
    [0.18, low + 0.85 * thick], [0.15, height], [0, height]], CUSHION));
  stool.add(lathe([[0, 0], [0.165, 0], [0.172, 0.006], [0.165, 0.013], [0.06, 0.024],
    [0.028, 0.05], [0.024, 0.09], [0.024, Math.max(low, 0.1)], [0.11, low + 0.002]], METAL));
  return stool;
}
