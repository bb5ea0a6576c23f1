// Painting curves on a 2-D canvas.

const font = '11px system-ui, sans-serif';

/** Room below the curves for the time axis, in CSS pixels. */
export const foot = 18;

/** Room at the left that the longest of these labels takes, but never more than a third of the plot. */
export function gutterFor(labels, widthOf, width) {
  const widest = Math.max(0, ...labels.map(widthOf));
  return Math.round(Math.min(width / 3, Math.max(28, widest + 10)));
}

/** Where a time stands on a plot of this width, in CSS pixels. */
export const timeToX = (time, {width, gutter, start, end}) => gutter + ((time - start) / (end - start || 1)) * (width - gutter - 1);

/** The time under a pixel. */
export const xToTime = (x, {width, gutter, start, end}) => start + ((x - gutter) / (width - gutter - 1)) * (end - start);

/** Range of all finite values, widened a little; [-1, 1] when there are none. */
export function rangeOf(curves) {
  let low = Infinity;
  let high = -Infinity;
  for (const {values} of curves) {
    for (const value of values) {
      if (value < low) low = value;
      if (value > high && Number.isFinite(value)) high = value;
    }
  }
  if (!(low <= high) || !Number.isFinite(low)) return [-1, 1];
  const room = high > low ? 0.08 * (high - low) : Math.max(0.1, 0.1 * Math.abs(high));
  return [low - room, high + room];
}

/** One to three round numbers inside the range, for its axis. */
export function ticksOf([low, high]) {
  const rough = (high - low) / 2;
  const power = 10 ** Math.floor(Math.log10(rough));
  return multiplesIn([low, high], power * [5, 2, 1].find((m) => m * power <= rough));
}

/** Round times from start to end, at most `most` steps apart: labels that do not touch. */
export function timeTicks([start, end], most) {
  if (!(end > start)) return [start];
  const rough = (end - start) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  return multiplesIn([start, end], power * [1, 2, 5, 10].find((m) => m * power >= rough * (1 - 1e-9)));
}

function multiplesIn([low, high], step) {
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(Number(tick.toPrecision(12)));
  return ticks;
}

function polyline(context, curve, x, y) {
  context.beginPath();
  let pen = false;
  curve.values.forEach((value, i) => {
    if (i >= curve.times.length || !Number.isFinite(value)) {
      pen = false;
      return;
    }
    context[pen ? 'lineTo' : 'moveTo'](x(curve.times[i]), y(value));
    pen = true;
  });
  context.stroke();
}

const tickText = (tick) => String(tick).replace('-', '−');

/** What stands at the left of a plot. */
export function labelsOf(kind, curves) {
  return kind === 'on-off' ? curves.map((curve) => curve.name) : ticksOf(rangeOf(curves)).map(tickText);
}

/** Seconds below the curves, with a line at each. */
export function paintTimeAxis(context, frame) {
  const {width, height, gutter, start, end, color} = frame;
  context.font = font;
  context.textBaseline = 'bottom';
  for (const tick of timeTicks([start, end], Math.max(2, Math.floor((width - gutter) / 50)))) {
    const x = timeToX(tick, frame);
    context.fillStyle = color('--grid');
    context.fillRect(Math.round(x), 0, 1, height);
    context.fillStyle = color('--muted');
    const text = `${tickText(tick)} s`;
    const half = context.measureText(text).width / 2;
    context.textAlign = 'center';
    context.fillText(text, Math.min(width - half - 1, Math.max(half, x)), height + foot - 2);
  }
}

export function paintLines(context, frame) {
  const {width, height, gutter, curves, color} = frame;
  const range = rangeOf(curves);
  const x = (time) => timeToX(time, frame);
  const y = (value) => height - ((value - range[0]) / (range[1] - range[0])) * height;
  context.font = font;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const tick of ticksOf(range)) {
    context.fillStyle = color('--grid');
    context.fillRect(gutter, Math.round(y(tick)), width, 1);
    context.fillStyle = color('--muted');
    context.fillText(tickText(tick), gutter - 5, Math.min(height - 7, Math.max(7, y(tick))));
  }
  context.lineJoin = 'round';
  for (const curve of [...curves].sort((a, b) => Number(b.faint) - Number(a.faint))) {
    context.strokeStyle = curve.color;
    context.globalAlpha = curve.faint ? 0.6 : 1;
    context.lineWidth = curve.faint ? 1 : 1.6;
    polyline(context, curve, x, y);
  }
  context.globalAlpha = 1;
}

/** Spans of frames [from, to) in which the value is above one half. */
export function onSpans(values) {
  const spans = [];
  values.forEach((value, i) => {
    if (!(value > 0.5)) return;
    const last = spans[spans.length - 1];
    if (last && last[1] === i) last[1] = i + 1;
    else spans.push([i, i + 1]);
  });
  return spans;
}

/** A row per curve, filled while its value is above one half. */
export function paintOnOff(context, frame) {
  const {height, gutter, curves, color} = frame;
  const row = height / Math.max(1, curves.length);
  context.font = font;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  curves.forEach(({name, times, values, ...curve}, r) => {
    context.fillStyle = color('--muted');
    context.fillText(name, gutter - 5, (r + 0.5) * row, gutter - 7);
    context.fillStyle = curve.color;
    for (const [from, to] of onSpans(values)) {
      const left = timeToX(times[from], frame);
      const right = timeToX(times[Math.min(to, times.length - 1)], frame);
      context.fillRect(left, r * row + 2, Math.max(1, right - left), row - 4);
    }
  });
}
