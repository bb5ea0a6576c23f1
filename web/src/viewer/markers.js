// What stands on the ground: start, target and branch point, and the path of every track.
import {CatmullRomCurve3, Group, Mesh, MeshBasicMaterial, RingGeometry, SphereGeometry, TubeGeometry, Vector3} from 'three';
import {groundHeight} from './terrain.js';

const looks = {
  target: {color: '#2f9e83', inner: 0.82},
  start: {color: '#7a858d', inner: 0.7},
  branch: {color: '#d9772b', inner: 0.7},
};

/** A ring of the marker's radius lying on the ground, with a small ball above it that the label hangs on. */
export function buildMarker(marker, terrain) {
  const look = looks[marker.kind];
  const group = new Group();
  const material = new MeshBasicMaterial({color: look.color, transparent: true, opacity: 0.9});
  const ring = new RingGeometry(look.inner * marker.radius, marker.radius, 96, 2);
  const corners = ring.attributes.position;
  for (let i = 0; i < corners.count; ++i) { // drape it, so that bumps do not swallow it
    const x = marker.x + corners.getX(i);
    const y = marker.y + corners.getY(i);
    corners.setXYZ(i, x, y, groundHeight(terrain, x, y) + 0.018);
  }
  const ball = new Mesh(new SphereGeometry(0.025, 16, 12), material);
  ball.position.set(marker.x, marker.y, groundHeight(terrain, marker.x, marker.y) + 0.03);
  group.add(new Mesh(ring, material), ball);
  return group;
}

/** The path of the first body, as a thin tube; nothing for a track that never moves. */
export function buildPath(track, bodies) {
  const frames = track.times.length;
  const stride = Math.max(1, Math.floor(frames / 200));
  const points = [];
  for (let frame = 0; frame < frames; frame += stride) {
    const p = new Vector3().fromArray(track.poses, 7 * frame * bodies);
    if (!points.length || p.distanceTo(points[points.length - 1]) > 0.005) points.push(p);
  }
  if (points.length < 2) return null;
  const material = new MeshBasicMaterial({color: track.color, transparent: true, opacity: 0.75});
  return new Mesh(new TubeGeometry(new CatmullRomCurve3(points), 3 * points.length, 0.006, 6), material);
}
