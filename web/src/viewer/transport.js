// Play, scrub, speed and camera, at the bottom of the view.
import {speeds} from './clock.js';

function button(text, label, act) {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = text;
  element.title = label;
  element.setAttribute('aria-label', label);
  element.addEventListener('click', act);
  return element;
}

function speedMenu(clock) {
  const menu = document.createElement('select');
  menu.setAttribute('aria-label', 'Speed');
  menu.append(...speeds.map((speed) => new Option(`${speed}×`, speed)));
  menu.addEventListener('change', () => clock.setSpeed(Number(menu.value)));
  clock.onChange(() => { menu.value = clock.speed; });
  return menu;
}

function scrubber(scene, clock) {
  const box = document.createElement('div');
  box.className = 'scrub';
  const slider = document.createElement('input');
  Object.assign(slider, {type: 'range', min: clock.start, max: clock.end, step: 'any'});
  slider.setAttribute('aria-label', 'Time');
  slider.addEventListener('input', () => clock.seek(Number(slider.value)));
  clock.onChange(() => { slider.value = clock.time; });
  box.append(slider);
  const span = clock.end - clock.start || 1;
  for (const track of scene.tracks) {
    for (const event of track.events) {
      const tick = document.createElement('i');
      tick.style.left = `${100 * (event.time - clock.start) / span}%`;
      tick.title = `${track.name}: ${event.text}`;
      box.append(tick);
    }
  }
  return box;
}

export function buildTransport(scene, clock, stage) {
  const bar = document.createElement('div');
  bar.className = 'transport';
  const play = button('▶', 'Play or pause (space)', () => clock.toggle());
  play.className = 'play';
  const time = document.createElement('output');
  clock.onChange(() => {
    play.textContent = clock.playing ? '❚❚' : '▶';
    time.textContent = `${clock.time.toFixed(2)} s`;
  });
  const follow = button('Follow', 'Follow the selected robot (f)', () => {
    stage.setFollow(!stage.follow);
    follow.setAttribute('aria-pressed', stage.follow);
  });
  follow.setAttribute('aria-pressed', stage.follow);
  follow.dataset.follow = '';
  bar.append(play, scrubber(scene, clock), time, speedMenu(clock), follow,
    button('Reset', 'Put the camera back (c)', () => stage.resetCamera()));
  return bar;
}
