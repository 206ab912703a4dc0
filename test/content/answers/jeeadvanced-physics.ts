import assert from 'node:assert/strict';
import { bisect, integral, total } from './mathematics.ts';
import { decimal, optionsWhere, quantity, type Solutions } from './solution.ts';

export const jeeAdvancedPhysics: Solutions = {
  // The motion in small steps, for a disc of mass 1 kg, until the disc rolls.
  'jeeadvanced-2026-01-01-s1-physics-05': (question) => {
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
  // The discharge through C, next to that through A, in small steps of time.
  'jeeadvanced-2026-01-01-s1-physics-08': () => {
    const step = 1e-6;
    let [voltage, heat] = [24 * (10 / (2 + 10) - 2 / (4 + 2)), 0];
    for (const half = voltage / 2; voltage > half; ) {
      const current = voltage / (2e3 + 10e3);
      heat += current ** 2 * 10e3 * step;
      voltage -= ((current + voltage / (4e3 + 2e3)) * step) / 25e-6;
    }
    return 1e6 * heat;
  },
  // From one turning point to the next, by the balance of energy.
  'jeeadvanced-2026-01-01-s1-physics-09': () => {
    const [stiffness, friction] = [100, 0.4 * 2 * 10];
    const energy = (x: number): number => (stiffness * x ** 2) / 2;
    let [x, distance] = [0.5, 0];
    while (stiffness * x > friction) {
      const next = bisect((y) => energy(x) - energy(y) - friction * (x + y), 0, x - 1e-9);
      distance += x + next;
      x = next;
    }
    return 100 * distance;
  },
  // The torques of all pieces of the rod, per metre and per cosine of its slope.
  'jeeadvanced-2026-01-01-s1-physics-10': () => {
    const [weight, buoyancy] = [640 * 25e-4 * 10, 1000 * 25e-4 * 10];
    const torque = (wet: number): number =>
      integral((s) => weight * s, 0, 3) - integral((s) => buoyancy * s, 0, wet);
    return Math.abs(weight * 3 - buoyancy * bisect(torque, 0, 3));
  },
  // The impulse on the rod that leaves its end and the putty with the same velocity.
  'jeeadvanced-2026-01-01-s1-physics-11': () => {
    const inertia = (2 * 1.5 ** 2) / 12;
    const end = (impulse: number): number => impulse / 2 + (impulse * 0.75 ** 2) / inertia;
    const impulse = bisect((j) => end(j) - (12 - j), 0, 12);
    const after = [
      impulse ** 2 / (2 * 2),
      (impulse * 0.75) ** 2 / (2 * inertia),
      (12 - impulse) ** 2 / 2,
    ];
    return 12 ** 2 / 2 - total(after);
  },
  // Inductance and capacitance, without reactances.
  'jeeadvanced-2026-01-01-s1-physics-12': () => {
    const resistance = 100 / 5;
    const spin = 2 * Math.PI * 50;
    const inductance = bisect((l) => Math.hypot(resistance, spin * l) - 100 / 4, 0, 1);
    const capacitance = 1 / (inductance * (2 * spin) ** 2);
    return 100 / resistance / (2 * spin * capacitance);
  },
  // Internal energy and work from A on to its greatest value, and the heat from C to A.
  'jeeadvanced-2026-01-01-s1-physics-13': () => {
    const heat = (v: number): number => 1.5 * (v * (4 - v) - 3) + integral((at) => 4 - at, 1, v);
    const path = Array.from({ length: 201 }, (_, i) => heat(1 + i / 100));
    return 200 * (Math.max(...path) + 1.5 * (3 - 1));
  },
  // Both decays in small steps, until Y decays as fast as it forms.
  'jeeadvanced-2026-01-01-s2-physics-09': () => {
    let [x, y, z] = [1, 0, 0];
    const step = 1e-5;
    while (x / 3 >= y / 6) {
      const [first, second] = [(x * Math.LN2 * step) / 3, (y * Math.LN2 * step) / 6];
      [x, y, z] = [x - first, y + first - second, z + second];
    }
    return 100 * z;
  },
  'jeeadvanced-2026-01-01-s2-physics-10': () => {
    const number = (energy: number): number => bisect((z) => 10.2 * (z - 1) ** 2 - energy, 1, 100);
    return number((9180 * 9) / 4) - number(9180);
  },
  // Both collisions by momentum and restitution.
  'jeeadvanced-2026-01-01-s2-physics-11': () => {
    const hit = (p: number, q: number): number =>
      bisect((v) => 2 * (v - 0.5 * (p - q)) + 4 * v - 2 * p - 4 * q, -99, 99);
    const first = hit(6, 0);
    const second = hit(first - 0.5 * 6, -first);
    return 100 * Math.abs(second) * Math.sqrt(4 / 100);
  },
  // Both blocks with the rods in series, then one block with both rods, in small steps of time.
  'jeeadvanced-2026-01-01-s2-physics-12': () => {
    const time = (conductance: number, second: number, difference: number, end: number): number => {
      let [hot, cold, steps] = [difference, 0, 0];
      for (; hot - cold > end; steps += 1) {
        const heat = conductance * (hot - cold) * 1e-5;
        [hot, cold] = [hot - heat, cold + heat * second];
      }
      return steps;
    };
    return (25 * time(3 + 2, 0, 80, 10)) / time(1 / (1 / 3 + 1 / 2), 1, 1, 1 / 2);
  },
  // The charge that flows until the voltages are equal, and the energies in units of microjoules.
  'jeeadvanced-2026-01-01-s2-physics-13': () => {
    const flow = bisect((charge) => (4 * 150 - charge) / 2 - (charge - 3 * 100) / 3, 0, 1000);
    const energy = (first: number, second: number): number =>
      first ** 2 / (2 * 2) + second ** 2 / (2 * 3);
    return (energy(4 * 150, 3 * 100) - energy(4 * 150 - flow, flow - 3 * 100)) / 1000;
  },
  // The lines on both sides of those that coincide, from the description of the figure, in tenths of millimetres.
  'jeeadvanced-2026-01-01-s2-physics-14': (question) => {
    const lines = [
      ...(question.diagrams?.[0]?.alt ?? '').matchAll(
        /vernier line (\d+) .*?main-scale line (\d+)/g,
      ),
    ];
    const zeros = lines.map(([, vernier, main]) => 10 * Number(main) - 9 * Number(vernier));
    return (total(zeros.slice(2)) - total(zeros.slice(0, 2))) / 2;
  },
  'jeeadvanced-2024-01-01-s2-physics-01': () => {
    const acceleration = (0.4 * 10 - railForce(1.5)) / (0.4 + 0.6);
    return decimal(0.6 * acceleration + railForce(1.5), 1);
  },
  // The motion in small steps, and the heat of the current.
  'jeeadvanced-2024-01-01-s2-physics-02': () => {
    const step = 1e-6;
    let [speed, heat] = [0, 0];
    for (let index = 0; index < 0.5 / step; index += 1) {
      heat += railForce(speed) * speed * step;
      speed += (0.4 * 10 - railForce(speed)) * step;
    }
    return decimal(heat, 2);
  },
  'jeeadvanced-2026-01-01-s2-physics-15': () => gasHeat(0.1),
  // The sound of one revolution, sent out at equal intervals: frequencies and times at the listener; R is 1 m.
  'jeeadvanced-2026-01-01-s2-physics-08': (question) => {
    const [pieces, period] = [36_000, (2 * Math.PI) / 30];
    const arrival = (index: number): number => {
      const turn = (2 * Math.PI * index) / pieces;
      return (period * index) / pieces + Math.hypot(2 - Math.cos(turn), Math.sin(turn)) / 330;
    };
    const heard = Array.from({ length: pieces }, (_, index) => ({
      time: arrival(index),
      frequency: (660 * period) / pieces / (arrival(index + 1) - arrival(index)),
    }));
    const frequencies = heard.map(({ frequency }) => frequency);
    const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-3 * b;
    // The sum of the intervals at whose ends the later frequency is the lower one.
    const falling = heard.map(({ time }, index) => {
      const [before, here] = [frequencies.at(index - 1) ?? 0, frequencies[index] ?? 0];
      return here < before ? arrival(index + 1) - time : 0;
    });
    const crossings = heard.filter(({ frequency }, index) => {
      const before = frequencies.at(index - 1) ?? 0;
      return frequency < 660 !== before < 660;
    });
    const [first = 0, second = 0] = crossings.map(({ time }) => time);
    return optionsWhere(question, (text) => {
      if (text.includes('highest')) return near(Math.max(...frequencies), quantity(text));
      if (text.includes('lowest')) return near(Math.min(...frequencies), quantity(text));
      if (text.includes('one third')) return near(total(falling), period / 3);
      assert.match(text, /equal intervals/);
      return near(second - first, period / 2);
    }).join(',');
  },
  // The speed of P at which the force of the current and the speed make up the power.
  'jeeadvanced-2026-01-01-s2-physics-16': () => {
    const force = (speed: number): number => (0.8 * 0.4 * speed * 0.8 * 0.4) / (0.1 + 0.1);
    return (100 * force(bisect((speed) => force(speed) * speed - 3.2, 0, 100))) / 32;
  },
};

/** The magnetic force, in newtons, on the rod of the passage of 2024 at a speed in metres per second. */
function railForce(speed: number): number {
  const current = (4 * 0.5 * speed) / 2;
  return 4 * 0.5 * current;
}

/** The pressure of the gas under the piston when it has moved by `x` metres. */
function gasPressure(x: number): number {
  return 1e5 + (4000 * x) / 80e-4;
}

/** The heat that the gas has absorbed until then, in joules. */
function gasHeat(x: number): number {
  const work = integral((at) => gasPressure(at) * 80e-4, 0, x);
  return work + 1.5 * 80e-4 * (gasPressure(x) * (0.3 + x) - gasPressure(0) * 0.3);
}
