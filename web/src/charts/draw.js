// One chart: a Vega-Lite spec, held as JSON in a <script> inside its <div data-chart>, becomes an SVG in that div.
import {logger, parse, View, Warn} from 'vega';
import {compile} from 'vega-lite';
import {theme} from './theme.js';
import {tooltip} from './tooltip.js';

// A single chart takes the width of its figure, whatever that is; heights are the spec's own business. The panels of a faceted one
// have widths of their own.
const frame = {width: 'container', autosize: {type: 'fit-x', contains: 'padding'}, background: null};
const frameOf = spec => ('facet' in spec ? {background: null} : frame);

// Where heights follow from the number of rows, Vega-Lite warns that it does not fit them, which `frame` does not ask for.
const log = logger(Warn);
const {warn} = log;
log.warn = (...words) => (/^Dropping "fit-y"/.test(words[0]) ? log : warn.apply(log, words));

/** @param {HTMLElement} plot */
export async function drawChart(plot) {
  try {
    const spec = JSON.parse(plot.querySelector('script').textContent);
    plot.classList.toggle('panels', 'facet' in spec);
    if ('facet' in spec) plot.tabIndex = 0; // it scrolls: the keyboard has to get there
    const vega = compile({...frameOf(spec), ...spec}, {config: theme, logger: log}).spec;
    // Vega gives its container a role and a name of its own; the plot keeps the one that the page wrote.
    const container = document.createElement('div');
    container.setAttribute('aria-hidden', 'true');
    plot.append(container);
    const view = new View(parse(vega), {renderer: 'svg', container, hover: true, tooltip});
    await view.runAsync();
    plot.dataset.drawn = 'true';
  } catch (error) {
    console.error('chart not drawn', error);
    plot.append(`This chart could not be drawn: ${error.message}`);
  }
}
