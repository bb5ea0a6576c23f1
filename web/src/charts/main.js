// Entry of the chart bundle: draws every <div data-chart> of the page and arms its save buttons.
import {drawChart} from './draw.js';
import {armSaveButtons} from './save.js';

for (const plot of document.querySelectorAll('[data-chart]')) drawChart(plot);
armSaveButtons();
