// The list of tracks: click a name to follow it, the dot to hide or show it.
export function buildLegend(scene, selection) {
  const box = document.createElement('div');
  box.className = 'legend';
  const title = document.createElement('p');
  title.className = 'title';
  title.textContent = scene.title;
  const list = document.createElement('ul');
  const rows = scene.tracks.map((track, index) => {
    const row = document.createElement('li');
    const dot = document.createElement('button');
    dot.type = 'button';
    dot.className = 'dot';
    dot.style.setProperty('--color', track.color);
    dot.setAttribute('aria-label', `Show or hide ${track.name}`);
    dot.addEventListener('click', () => selection.toggleVisible(index));
    const name = document.createElement('button');
    name.type = 'button';
    name.textContent = track.name;
    name.title = `Follow ${track.name}${index < 9 ? ` (${index + 1})` : ''}`;
    name.addEventListener('click', () => selection.select(index));
    row.append(dot, name);
    return {row, dot, name};
  });
  const show = () => rows.forEach(({row, dot, name}, index) => {
    row.classList.toggle('selected', index === selection.selected);
    name.setAttribute('aria-pressed', index === selection.selected);
    dot.setAttribute('aria-pressed', selection.visible[index]);
  });
  selection.onChange(show);
  show();
  list.append(...rows.map(({row}) => row));
  box.append(title, list);
  return box;
}
