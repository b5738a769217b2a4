// One time for everything on the page: the robot, the slider and the cursor of every plot.
import type {Result} from './data';

export type ClockListener = (t: number) => void;

export class Clock {
  readonly begin: number;
  readonly end: number;
  speed = 1;
  private now: number;
  private running = false;
  private last = 0;
  private rest = 0; // s that it still waits before it starts over
  private listeners: ClockListener[] = [];
  private stateListeners: (() => void)[] = [];

  constructor(begin: number, end: number) {
    this.begin = begin;
    this.end = end;
    this.now = begin;
  }

  get t() {
    return this.now;
  }
  get playing() {
    return this.running;
  }

  onTime(listener: ClockListener) {
    this.listeners.push(listener);
  }
  onState(listener: () => void) {
    this.stateListeners.push(listener);
  }

  set(t: number) {
    const kept = Math.min(this.end, Math.max(this.begin, t));
    if (kept === this.now) return;
    this.now = kept;
    for (const listener of this.listeners) listener(kept);
  }

  setSpeed(speed: number) {
    this.speed = speed;
    for (const listener of this.stateListeners) listener();
  }

  play() {
    if (this.running || this.end <= this.begin) return;
    if (this.now >= this.end) this.set(this.begin);
    this.running = true;
    this.last = performance.now();
    this.rest = 0;
    for (const listener of this.stateListeners) listener();
    requestAnimationFrame(this.step);
  }
  pause() {
    if (!this.running) return;
    this.running = false;
    for (const listener of this.stateListeners) listener();
  }
  toggle() {
    if (this.running) this.pause();
    else this.play();
  }

  // Where nothing else takes the key.
  toggleBySpace() {
    document.addEventListener('keydown', (event) => {
      const at = event.target as HTMLElement;
      if (event.key !== ' ' || ['BUTTON', 'INPUT', 'SELECT', 'SUMMARY'].includes(at.tagName)) return;
      event.preventDefault();
      this.toggle();
    });
  }

  private step = (stamp: number) => {
    if (!this.running) return;
    const passed = Math.min(0.1, Math.max(0, (stamp - this.last) / 1000));
    this.last = stamp;
    if (this.now >= this.end) {
      this.rest += passed;
      if (this.rest > 0.7) {
        this.rest = 0;
        this.set(this.begin);
      }
    } else {
      this.set(this.now + passed * this.speed);
    }
    requestAnimationFrame(this.step);
  };
}

// From the first time of all results to the last.
export function clockFor(results: Result[]): Clock {
  const times = results.flatMap(({scene}) => [scene.t[0] ?? 0, scene.t[scene.t.length - 1] ?? 0]);
  return new Clock(Math.min(...times), Math.max(...times));
}
