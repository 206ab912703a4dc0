import assert from 'node:assert/strict';
import { bisect, midpoints } from './mathematics.ts';
import { decimal, optionsWhere, quantity, type Solutions } from './solution.ts';

export const jeeAdvancedPhysics: Solutions = {
  // The potential, in units of V0, from the field of the charges on the sphere and on both faces of the shell.
  'jeeadvanced-2026-01-01-s1-physics-01': (question) => {
    const field = (r: number): number => (r < 1 || (r > 2 && r < 3) ? 0 : 1 / r ** 2);
    // From infinity to 4 R, the potential of a point charge.
    const potential = (r: number): number => 1 / 4 + midpoints(field, r, 4, 40_000);
    const values: [number, string][] = [
      [0.5, '5/6 from r = 0 to R'],
      [2.5, '1/3 from 2R to 3R'],
      [4, '1/4 at 4R'],
    ];
    for (const [r, text] of values) {
      const [, top = '', bottom = ''] = /(\d)\/(\d)/.exec(text) ?? [];
      assert.ok(Math.abs(potential(r) - Number(top) / Number(bottom)) < 1e-3, text);
    }
    const keys = question.options.filter(({ diagram }) => values.every(([, text]) => diagram?.alt?.includes(text)));
    assert.equal(keys.length, 1);
    return keys[0]?.key ?? '';
  },
  // The motion in small steps, for a disc of mass 1 kg, until the disc rolls.
  'jeeadvanced-2026-01-01-s1-physics-02': (question) => {
    const [radius, friction] = [0.2, 0.25 * 10];
    const inertia = radius ** 2 / 2;
    const step = 1e-6;
    let [time, distance, speed, spin] = [0, 0, 0, 60];
    const energy = (): number => speed ** 2 / 2 + (inertia * spin ** 2) / 2;
    const before = energy();
    while (speed < spin * radius) {
      distance += speed * step;
      speed += friction * step;
      spin -= ((friction * radius) / inertia) * step;
      time += step;
    }
    const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-3 * b;
    return optionsWhere(question, (text) => {
      if (text.includes('slips on the floor')) return near(time, quantity(text));
      if (text.includes('finally moves')) return near(speed, quantity(text));
      if (text.includes('while the disc slips')) return near(distance, quantity(text));
      assert.match(text, /two thirds/);
      return near(1 - energy() / before, 2 / 3);
    }).join(',');
  },
  // Discharge in small steps of time; ln 5 is given with three figures.
  'jeeadvanced-2026-01-01-s1-physics-03': () => {
    const [capacitance, resistance, step] = [5e-6, 2e3, 1e-8];
    let [voltage, time] = [100, 0];
    while (voltage ** 2 > 100 ** 2 / 5) {
      voltage -= (voltage / (resistance * capacitance)) * step;
      time += step;
    }
    return decimal(1000 * time, 2);
  },
  // The speed at which the forces balance.
  'jeeadvanced-2026-01-01-s1-physics-04': () => bisect((speed) => railForce(speed) - 0.4 * 10, 0, 100),
  'jeeadvanced-2026-01-01-s1-physics-05': () => {
    const acceleration = (0.4 * 10 - railForce(1.5)) / (0.4 + 0.6);
    return decimal(0.6 * acceleration + railForce(1.5), 1);
  },
  // The motion in small steps, and the heat of the current.
  'jeeadvanced-2026-01-01-s1-physics-06': () => {
    const step = 1e-6;
    let [speed, heat] = [0, 0];
    for (let index = 0; index < 0.5 / step; index += 1) {
      heat += railForce(speed) * speed * step;
      speed += (0.4 * 10 - railForce(speed)) * step;
    }
    return decimal(heat, 2);
  },
};

/** The magnetic force, in newtons, on the rod of the passage at a speed in metres per second. */
function railForce(speed: number): number {
  const current = (4 * 0.5 * speed) / 2;
  return 4 * 0.5 * current;
}
