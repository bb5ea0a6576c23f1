// Look of all charts. Colours are the page's CSS custom properties, resolved by the browser when it paints the SVG, so a
// chart follows the colour scheme without being drawn again. The font must be spelled out: Vega measures text on a canvas.
const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif';
const text = {font, fontSize: 12, fill: 'var(--ink)', color: 'var(--ink)'};

/** @type {import('vega-lite').Config} */
export const theme = {
  aria: false, // the surrounding figure carries the description
  font,
  view: {stroke: null},
  axis: {
    domain: false, ticks: false, labelPadding: 6, titlePadding: 10, titleAnchor: 'start', titleFontWeight: 'normal',
    titleFontSize: 12, labelFontSize: 12, labelColor: 'var(--muted)', titleColor: 'var(--muted)', gridColor: 'var(--grid)',
    labelLimit: 260,
  },
  axisY: {titleAngle: 0, titleAlign: 'left', titleAnchor: 'end', titleY: -10, titleX: 0},
  axisQuantitative: {tickCount: 8, labelOverlap: 'parity', labelSeparation: 8},
  axisBand: {grid: false, labelColor: 'var(--ink)'},
  legend: {
    orient: 'top', title: null, labelFontSize: 12, labelColor: 'var(--ink)', symbolStrokeWidth: 2, offset: 8,
    columnPadding: 16, layout: {frame: 'bounds'}, // beginning where the labels of the axis do, it fits beside long ones too
  },
  text,
  bar: {color: 'var(--series-1)'},
  point: {filled: true, size: 60, opacity: 1},
  rule: {color: 'var(--muted)'},
  style: {
    threshold: {stroke: 'var(--ink)', strokeWidth: 1.5, strokeDash: [4, 3]},
    'threshold-label': {...text, fontWeight: 600},
    note: {...text, fill: 'var(--muted)', color: 'var(--muted)'},
  },
  range: {category: ['var(--series-1)', 'var(--series-2)', 'var(--series-3)', 'var(--series-4)']},
};
