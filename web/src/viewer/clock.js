// The one time that the robots, the scrubber and the plots show.
export const speeds = [0.1, 0.25, 0.5, 1, 2, 4];

export class Clock {
  #listeners = [];

  constructor(start, end) {
    this.start = start;
    this.end = end;
    this.time = start;
    this.speed = 1;
    this.playing = false;
  }

  /** `listener(clock)` is called after every change of time, speed or play state. */
  onChange(listener) {
    this.#listeners.push(listener);
  }

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.#tell();
  }

  /** Playing from the end starts over. */
  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.end) this.time = this.start;
    this.#tell();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.#tell();
  }

  /** The next of the offered speeds, up (+1) or down (-1). */
  changeSpeed(step) {
    const next = speeds.indexOf(this.speed) + step;
    this.setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, next))]);
  }

  /** Lets `seconds` of real time pass; stops at the end. */
  advance(seconds) {
    if (!this.playing) return;
    if (this.time + seconds * this.speed >= this.end) this.playing = false;
    this.seek(this.time + seconds * this.speed);
  }

  #tell() {
    for (const listener of this.#listeners) listener(this);
  }
}
