// Buttons that hand a part of the page out as a file.
import {fileStem, pngUrl, svgText} from './export.js';

function hand(href, name) {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}

function handText(text, type, name) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  hand(url, name);
  URL.revokeObjectURL(url);
}

/** <button data-save="file.json" data-from="id"> offers the JSON held in <script id="id"> as a file. */
export function armSaveButtons() {
  for (const button of document.querySelectorAll('button[data-save]')) {
    button.hidden = false;
    button.addEventListener('click', () => handText(document.getElementById(button.dataset.from).textContent, 'application/json', button.dataset.save));
  }
}

/** "SVG" and "PNG" under a drawn chart. */
export function addChartButtons(plot) {
  const name = plot.dataset.name || 'chart';
  const bar = document.createElement('div');
  bar.className = 'chart-tools';
  const add = (format, act) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = format;
    button.setAttribute('aria-label', `Save the chart “${name}” as ${format}`);
    button.addEventListener('click', act);
    bar.append(button);
  };
  add('SVG', () => handText(svgText(plot).text, 'image/svg+xml', `${fileStem(name)}.svg`));
  add('PNG', async () => hand(await pngUrl(plot), `${fileStem(name)}.png`));
  plot.after(bar);
}
