// The plots beside the view: one small canvas per quantity, a cursor at the clock's time, dragging moves the clock.
// A plot with one line compares the tracks, each in its colour; a plot with several shows those of the selected track.
import {frameBefore} from './scene_data.js';
import {foot, gutterFor, labelsOf, paintLines, paintOnOff, paintTimeAxis, timeToX, xToTime} from './plot_paint.js';

const lineColors = ['--series-1', '--series-2', '--series-3', '--series-4'];

/** The curves of a plot under the current selection: {name, color, times, values, faint, several}. */
export function curvesOf(plot, tracks, selection, colors) {
  const linesOf = (track) => track.series.filter((series) => series.plot === plot.name);
  const several = tracks.some((track) => linesOf(track).length > 1);
  return tracks.flatMap((track, index) => {
    const chosen = index === selection.selected;
    if (several ? !chosen : !selection.visible[index]) return [];
    return linesOf(track).map((series, i) => ({
      name: several ? series.line : track.name,
      color: several ? colors[i % colors.length] : track.color,
      times: track.times,
      values: series.values,
      faint: !chosen,
      several,
    }));
  });
}

/** "0.42", or "–" before the curve begins. */
export function valueAt(curve, time) {
  if (time < curve.times[0] - 1e-6) return '–';
  const value = curve.values[frameBefore(curve.times, time)];
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits).replace('-', '−');
}

/** What the plot shows, for who cannot see it: its question, and where every curve ends. */
export function describe({name, unit, kind}, curves) {
  const question = `How does ${name}${unit ? ` (${unit})` : ''} change over time?`;
  if (kind === 'on-off') {
    const shares = curves.map(({name: curve, values}) => {
      const on = values.filter((value) => value > 0.5).length;
      return `${curve} is on ${values.length ? Math.round(100 * on / values.length) : 0} % of the time`;
    });
    return `${question} ${shares.join(', ')}.`;
  }
  const ends = curves.map((curve) => `${curve.name} ends at ${valueAt(curve, curve.times[curve.times.length - 1])}`);
  return `${question} ${ends.join(', ')}.`;
}

class Plot {
  constructor(plot, scene, clock, selection) {
    Object.assign(this, {plot, scene, clock, selection});
    this.element = document.createElement('figure');
    this.element.className = 'plot-box';
    this.caption = document.createElement('figcaption');
    this.canvas = document.createElement('canvas');
    this.element.append(this.caption, this.canvas);
    this.backdrop = document.createElement('canvas');
    for (const type of ['pointerdown', 'pointermove']) {
      this.canvas.addEventListener(type, (event) => this.#scrub(event));
    }
    new ResizeObserver(() => this.repaint()).observe(this.canvas);
  }

  #scrub(event) {
    if (!(event.buttons & 1)) return;
    this.clock.seek(xToTime(event.offsetX, this.frame));
  }

  /** Everything that does not move with the clock. */
  repaint() {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (!width) return;
    const style = getComputedStyle(document.documentElement);
    this.color = (name) => style.getPropertyValue(name).trim();
    const curves = curvesOf(this.plot, this.scene.tracks, this.selection, lineColors.map(this.color));
    this.canvas.setAttribute('role', 'img'); // not before it has a name
    this.canvas.setAttribute('aria-label', describe(this.plot, curves));
    const context = this.backdrop.getContext('2d');
    context.font = '11px system-ui, sans-serif';
    const gutter = gutterFor(labelsOf(this.plot.kind, curves), (label) => context.measureText(label).width, width);
    this.frame = {width, height: height - foot, gutter, start: this.clock.start, end: this.clock.end, curves, color: this.color};
    for (const canvas of [this.canvas, this.backdrop]) {
      canvas.width = Math.round(width * devicePixelRatio);
      canvas.height = Math.round(height * devicePixelRatio);
    }
    context.scale(devicePixelRatio, devicePixelRatio);
    const paint = this.plot.kind === 'on-off' ? paintOnOff : paintLines;
    paintTimeAxis(context, this.frame);
    paint(context, this.frame);
    this.moveCursor();
  }

  moveCursor() {
    if (!this.frame) return;
    const context = this.canvas.getContext('2d');
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.backdrop, 0, 0);
    context.fillStyle = this.color('--ink');
    context.fillRect(Math.round(timeToX(this.clock.time, this.frame) * devicePixelRatio), 0, devicePixelRatio,
      Math.round(this.frame.height * devicePixelRatio));
    this.#writeCaption();
  }

  /** The quantity and its values at the cursor, each behind the colour of its curve. */
  #writeCaption() {
    const {name, unit, kind} = this.plot;
    const title = document.createElement('strong');
    title.textContent = unit ? `${name} (${unit})` : name;
    const values = kind === 'on-off' ? [] : this.frame.curves.map((curve) => {
      const value = document.createElement('span');
      value.style.setProperty('--color', curve.color);
      value.title = curve.name;
      value.textContent = `${curve.several ? `${curve.name} ` : ''}${valueAt(curve, this.clock.time)}`;
      return value;
    });
    this.caption.replaceChildren(title, ...values);
  }
}

export function buildPlots(parent, scene, clock, selection) {
  const plots = scene.plots.map((plot) => new Plot(plot, scene, clock, selection));
  parent.append(...plots.map((plot) => plot.element));
  clock.onChange(() => plots.forEach((plot) => plot.moveCursor()));
  selection.onChange(() => plots.forEach((plot) => plot.repaint()));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plots.forEach((plot) => plot.repaint()));
}
