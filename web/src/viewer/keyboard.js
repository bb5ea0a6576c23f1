// Shortcuts: space play, ← → one frame (with shift ten), Home End, + − speed, f follow, c camera, 1–9 track.
const frame = 0.02;

export function armKeyboard(clock, stage, selection) {
  const keys = {
    ' ': () => clock.toggle(),
    'ArrowLeft': (event) => clock.seek(clock.time - frame * (event.shiftKey ? 10 : 1)),
    'ArrowRight': (event) => clock.seek(clock.time + frame * (event.shiftKey ? 10 : 1)),
    'Home': () => clock.seek(clock.start),
    'End': () => clock.seek(clock.end),
    '+': () => clock.changeSpeed(1),
    '=': () => clock.changeSpeed(1),
    '-': () => clock.changeSpeed(-1),
    'f': () => document.querySelector('[data-follow]').click(),
    'c': () => stage.resetCamera(),
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('select, input[type=text]')) return;
    const act = keys[event.key] ?? (/^[1-9]$/.test(event.key) ? () => selection.select(Number(event.key) - 1) : null);
    if (!act) return;
    event.preventDefault(); // also keeps space from pressing the focused button and arrows from moving the slider
    act(event);
  });
}
