// Entry of the chart bundle: draws every <div data-chart> of the page and arms its save buttons. Opened with #export, a page also
// writes its charts as files into <script id="exported">, where 'gonogo report --png' finds them.
import {drawChart} from './draw.js';
import {exportAll} from './export.js';
import {addChartButtons, armSaveButtons} from './save.js';

const plots = [...document.querySelectorAll('[data-chart]')];

async function drawAll() {
  await Promise.all(plots.map(drawChart));
  for (const plot of plots) if (plot.dataset.drawn) addChartButtons(plot);
  if (location.hash !== '#export') return;
  const holder = document.createElement('script');
  holder.type = 'application/json';
  holder.id = 'exported';
  holder.textContent = JSON.stringify(await exportAll(plots)).replaceAll('<', '\\u003c');
  document.body.append(holder);
}

drawAll();
armSaveButtons();
