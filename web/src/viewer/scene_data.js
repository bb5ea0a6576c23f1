// The scene as the page carries it (gonogo/report/viewer/scene.h), with its numbers decoded.

/** Little-endian float32 values from base64 (every machine that runs a browser is little-endian). */
export function decodeFloats(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

/** Index i of the last time <= t, or 0: times rise. */
export function frameBefore(times, t) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How many frames at the start hold only finite numbers: an episode that diverged ends where it did. */
export function finiteFrames(values, frames) {
  const perFrame = values.length / frames;
  const bad = values.findIndex((value) => !Number.isFinite(value));
  return bad < 0 ? frames : Math.floor(bad / perFrame);
}

const palette = ['#2f83c5', '#d9772b', '#2f9e83', '#9a6cb8', '#b8912a', '#c25a7c', '#6a7f8c', '#7a9a3a'];

function readTrack(raw, index, bodies) {
  const allTimes = decodeFloats(raw.times);
  const allPoses = decodeFloats(raw.poses);
  const frames = finiteFrames(allPoses, allTimes.length);
  return {
    name: raw.name,
    ghost: raw.ghost,
    color: raw.color || palette[index % palette.length],
    times: allTimes.subarray(0, frames),
    poses: allPoses.subarray(0, 7 * bodies * frames),
    series: raw.series.map((s) => ({plot: s.plot, line: s.line, values: decodeFloats(s.values)})),
    events: raw.events,
  };
}

/** Decodes everything and finds the span of time that the tracks cover. Tracks without frames are left out. */
export function readScene(raw) {
  const tracks = raw.tracks.map((t, i) => readTrack(t, i, raw.bodies)).filter((t) => t.times.length > 0);
  return {
    ...raw,
    tracks,
    terrain: raw.terrain && {...raw.terrain, heights: decodeFloats(raw.terrain.heights)},
    start: Math.min(0, ...tracks.map((t) => t.times[0])),
    end: Math.max(0, ...tracks.map((t) => t.times[t.times.length - 1])),
  };
}
