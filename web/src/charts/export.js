// A drawn chart as a file: the SVG as it stands, or a PNG at twice its size, both with the colours of the page spelled out, because
// a file has no style sheet.

/** Text with every var(--name) replaced by its value. */
export function withoutVariables(text, valueOf) {
  return text.replace(/var\((--[\w-]+)\)/g, (_, name) => valueOf(name));
}

/** "cost-saved-by-whom" for "Cost saved, by whom?": a file's name from a chart's; a long one ends with a whole word. */
export function fileStem(name) {
  const words = name.toLowerCase().normalize('NFKD').replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  const stem = words.length > 60 ? words.slice(0, 61).replace(/-[^-]*$/, '').slice(0, 60) : words;
  return stem || 'chart';
}

/** The chart's SVG as a document of its own, on the colour of the paper. */
export function svgText(plot) {
  const drawn = plot.querySelector('svg');
  const {width, height} = drawn.getBoundingClientRect();
  const copy = drawn.cloneNode(true);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  title.textContent = plot.getAttribute('aria-label') ?? '';
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  paper.setAttribute('width', '100%');
  paper.setAttribute('height', '100%');
  paper.setAttribute('fill', 'var(--card)');
  copy.prepend(title, paper);
  const style = getComputedStyle(document.documentElement);
  const text = withoutVariables(new XMLSerializer().serializeToString(copy), (name) => style.getPropertyValue(name).trim());
  return {text, width, height};
}

/** A data URL of the chart as PNG. */
export async function pngUrl(plot, scale = 2) {
  const {text, width, height} = svgText(plot);
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  context.drawImage(picture, 0, 0, width, height);
  return canvas.toDataURL('image/png');
}

/** Every drawn chart of the page: {name, svg, png}; names are told apart by a number where they repeat. */
export async function exportAll(plots) {
  const seen = new Map();
  const files = [];
  for (const plot of plots) {
    if (!plot.querySelector('svg')) continue;
    const stem = fileStem(plot.dataset.name ?? '');
    const count = (seen.get(stem) ?? 0) + 1;
    seen.set(stem, count);
    files.push({name: count > 1 ? `${stem}-${count}` : stem, svg: svgText(plot).text, png: await pngUrl(plot)});
  }
  return files;
}
