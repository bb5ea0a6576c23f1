// Poses between frames: positions along the line, rotations along the shorter arc (normalised linear, enough at 50 Hz).
import {Quaternion, Vector3} from 'three';
import {frameBefore} from './scene_data.js';

const position = new Vector3();
const rotation = new Quaternion();
const nextPosition = new Vector3();
const nextRotation = new Quaternion();

function read(poses, offset, p, q) {
  p.set(poses[offset], poses[offset + 1], poses[offset + 2]);
  q.set(poses[offset + 4], poses[offset + 5], poses[offset + 6], poses[offset + 3]); // stored w, x, y, z
}

/** Whether the track has begun at t: a branch is not there before its branch point. */
export const hasBegun = (track, t) => t >= track.times[0] - 1e-6;

/** Calls `use(body, position, rotation)` for every body at time t; holds the last frame after the end. */
export function eachPose(track, bodies, t, use) {
  const {times, poses} = track;
  const frame = frameBefore(times, t);
  const next = Math.min(frame + 1, times.length - 1);
  const span = times[next] - times[frame];
  const share = span > 0 ? Math.min(1, Math.max(0, (t - times[frame]) / span)) : 0;
  for (let body = 0; body < bodies; ++body) {
    read(poses, 7 * (frame * bodies + body), position, rotation);
    read(poses, 7 * (next * bodies + body), nextPosition, nextRotation);
    if (rotation.dot(nextRotation) < 0) nextRotation.set(-nextRotation.x, -nextRotation.y, -nextRotation.z, -nextRotation.w);
    position.lerp(nextPosition, share);
    rotation.set(rotation.x + share * (nextRotation.x - rotation.x), rotation.y + share * (nextRotation.y - rotation.y),
      rotation.z + share * (nextRotation.z - rotation.z), rotation.w + share * (nextRotation.w - rotation.w)).normalize();
    use(body, position, rotation);
  }
}
