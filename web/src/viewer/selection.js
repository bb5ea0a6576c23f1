// Which track is followed and plotted (drawn solid), and which tracks are shown at all.
export class Selection {
  #listeners = [];

  constructor(tracks) {
    this.tracks = tracks;
    this.selected = Math.max(0, tracks.findIndex((track) => !track.ghost));
    this.visible = tracks.map(() => true);
  }

  onChange(listener) {
    this.#listeners.push(listener);
  }

  select(index) {
    if (!(index >= 0 && index < this.tracks.length)) return;
    this.selected = index;
    this.visible[index] = true;
    this.#tell();
  }

  /** The selected track cannot be hidden. */
  toggleVisible(index) {
    if (index === this.selected) return;
    this.visible[index] = !this.visible[index];
    this.#tell();
  }

  #tell() {
    for (const listener of this.#listeners) listener(this);
  }
}
