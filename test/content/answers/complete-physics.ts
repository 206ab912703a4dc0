import type { Question } from '../../../build/content/written.ts';
import { between, bisect, integral } from './mathematics.ts';
import { onlyOption, optionStating, quantity, type Solutions } from './solution.ts';

const mu0 = 4e-7 * Math.PI;

export const completePhysics: Solutions = {
  // Balance lengths with S alone and with S and 18 Ω in parallel.
  'neet-2026-01-01-s1-physics-01': (question) => {
    const s = (6 * 60) / 40;
    const balance = (right: number): number => (100 * 6) / (6 + right);
    const shift = balance(reciprocalSum(s, 18)) - balance(s);
    const direction = shift > 0 ? 'towards B' : 'towards A';
    return onlyOption(
      question,
      (text) => Math.abs(quantity(text) - Math.abs(shift)) < 0.5 && text.endsWith(direction),
    );
  },
  // The height with the same field as at the depth, where only the inner sphere attracts.
  'neet-2026-01-01-s1-physics-02': (question) => {
    const inside = (1 - 5 / 9) ** 3 / (1 - 5 / 9) ** 2;
    const height = bisect((h) => (1 + h) ** -2 - inside, 0, 10);
    return optionWith(question, height, without('R'));
  },
  // Newton's second law for the three blocks, then for A alone.
  'neet-2026-01-01-s1-physics-05': () => {
    const friction = (mass: number): number => 0.2 * mass * 10;
    const acceleration = (5 * 10 - friction(2) - friction(3)) / (2 + 3 + 5);
    return 2 * acceleration + friction(2);
  },
  // The two times at the height of 15 m.
  'neet-2026-01-01-s1-physics-06': () => {
    const above = (t: number): number => 25 * 0.8 * t - 5 * t ** 2 - 15;
    return 25 * 0.6 * (bisect(above, 2, 10) - bisect(above, 0, 2));
  },
  // Equal path differences: three wavelengths of one light, two and a half of the other.
  'neet-2026-01-01-s1-physics-07': () => (3 * 480) / (3 - 1 / 2),
  // The work is the integral of the force along the graph.
  'neet-2026-01-01-s1-physics-10': () => {
    const force = (x: number): number =>
      between(x, [
        [0, 0],
        [2, 8],
        [5, -4],
        [6, -4],
      ]);
    return Math.sqrt((2 * integral(force, 0, 6)) / 0.8);
  },
  // The Biot-Savart law along the two arcs, whose currents run in opposite directions.
  'neet-2026-01-01-s1-physics-11': () => {
    const arc = (radius: number): number =>
      integral(() => ((mu0 * 4) / (4 * Math.PI)) * (radius / radius ** 2), 0, Math.PI / 2);
    return (arc(0.05) - arc(0.1)) * 1e6;
  },
  // Find the friction (forwards positive) for which the lowest point does not slip.
  'neet-2026-01-01-s1-physics-15': () => {
    const linear = (friction: number): number => (12 + friction) / 4;
    const atRim = (friction: number): number => (12 - friction) / (4 / 2);
    return linear(bisect((f) => atRim(f) - linear(f), -100, 100));
  },
  // Reading less the zero error, both as main scale plus vernier coincidence times least count.
  'neet-2026-01-01-s1-physics-16': (question) => {
    const division = 0.5 / 25;
    const zeroError = 22 * division - 25 * division; // the vernier zero is to the left
    return optionStating(question, 12.5 + 16 * division - zeroError, 0.001);
  },
  // The first law for B to C: change of the internal energy and work, in units of the initial PV.
  'neet-2026-01-01-s1-physics-18': () => 1.5 * (3 * 2 - 3 * 1) + 3 * (2 - 1),
  // Malus's law at the second and the third polaroid; the first halves unpolarised light.
  'neet-2026-01-01-s1-physics-20': (question) => {
    const malus = (degrees: number): number => Math.cos((degrees * Math.PI) / 180) ** 2;
    return optionWith(question, (1 / 2) * malus(30) * malus(90 - 30), without('I_0'));
  },
  // The force for which the friction is as large as its horizontal component.
  'neet-2026-01-01-s1-physics-21': () =>
    bisect((force) => 0.8 * force - 0.5 * (33 - 0.6 * force), 0, 100),
  // Kirchhoff's junction rule for the voltage across the resistor.
  'neet-2026-01-01-s1-physics-22': () => {
    const voltage = bisect((v) => (8 - v) / 1 + (12 - v) / 3 - v / 2.25, 0, 12);
    return (12 - voltage) / 3;
  },
  // The truth table of the gates.
  'neet-2026-01-01-s1-physics-23': (question) => {
    const outputs = [0, 1, 2, 3].map((row) => {
      const [a, b] = [row >= 2, row % 2 === 1];
      return Number((a || b) && !(a && b));
    });
    return onlyOption(question, (text) => text.replace(/\$/g, '') === outputs.join(', '));
  },
  // The height where the tension vanishes, with the speed from the conservation of energy.
  'neet-2026-01-01-s1-physics-25': () => {
    const length = 0.8;
    const tension = (height: number): number =>
      (28 - 2 * 10 * height) / length + (10 * (length - height)) / length;
    return bisect(tension, 0, 2 * length);
  },
  // The largest speed is the amplitude times the angular frequency.
  'neet-2026-01-01-s1-physics-26': () => Math.sqrt((2 * 0.16) / 0.5) / 0.08,
  // The input power is the output power divided by the efficiency.
  'neet-2026-01-01-s1-physics-29': () => 9900 / 0.9 / 2200,
  // Half the spread of the values that the errors allow.
  'neet-2026-01-01-s1-physics-31': () => {
    const resistivity = (d: number, r: number, l: number): number => (d ** 2 * r) / l;
    const spread = resistivity(0.41, 5.1, 99.5) - resistivity(0.39, 4.9, 100.5);
    return (100 * spread) / 2 / resistivity(0.4, 5, 100);
  },
  // The same charge on 3 µF and on the parallel part.
  'neet-2026-01-01-s1-physics-32': () => {
    const charge = 12 * reciprocalSum(3, 2 + 4);
    return (charge / (2 + 4)) * 4;
  },
  // Lens equation, twice, with the product of the magnifications.
  'neet-2026-01-01-s1-physics-36': (question) => {
    const first = lensImage(-30, 20);
    const object = first - 40;
    const second = lensImage(object, -30);
    const magnification = (first / -30) * (second / object);
    const orientation = magnification < 0 ? 'inverted' : 'erect';
    return onlyOption(
      question,
      (text) =>
        Math.abs(quantity(text) - Math.abs(magnification)) < 0.05 && text.endsWith(orientation),
    );
  },
  // Snell's law at the second face.
  'neet-2026-01-01-s1-physics-37': (question) => {
    const inside = Math.asin(0.6);
    return optionStating(
      question,
      ((Math.asin((4 / 3) * Math.sin(inside)) - inside) * 180) / Math.PI,
      0.02,
    );
  },
  // The load for which the current that remains for the diode is just enough.
  'neet-2026-01-01-s1-physics-38': () => {
    const diode = (load: number): number => (15 - 5) / 200 - 5 / load;
    return bisect((load) => diode(load) - 0.01, 1, 10_000);
  },
  // Bernoulli's equation for a given flow.
  'neet-2026-01-01-s1-physics-39': () => {
    const drop = (litres: number): number => {
      const [wide, narrow] = [8e-4, 2e-4].map((area) => (litres * 1e-3) / area);
      return 500 * ((narrow ?? 0) ** 2 - (wide ?? 0) ** 2);
    };
    return bisect((litres) => drop(litres) - 30_000, 0, 100);
  },
  // The same full-scale current in both voltmeters.
  'neet-2026-01-01-s1-physics-41': () => bisect((g) => 3 / (g + 540) - 6 / (g + 1140), 0, 10_000),
  // Resonances of the pipes in order, for unit speed of sound.
  'neet-2026-01-01-s1-physics-42': () => {
    const closed = [1, 2, 3].map((n) => (2 * n - 1) / (4 * 75));
    const open = (length: number): number[] => [1, 2, 3].map((n) => n / (2 * length));
    return bisect((length) => (open(length)[1] ?? 0) - (closed[2] ?? 0), 1, 1000);
  },
  // The lighter star's circle is three quarters of the distance; G = m = d = 1.
  'neet-2026-01-01-s1-physics-43': (question) => {
    const radius = 3 / (1 + 3);
    const speedSquared = 3 * radius;
    return optionWith(question, speedSquared / 2, (text) =>
      text.replace('Gm^2', '').replace('d}', '}'),
    );
  },
  // The angular acceleration from the torque, in small steps of the angle, with g = L = 1.
  'jeemain-2026-01-01-s1-physics-03': (question) => {
    let square = 0;
    for (let step = 0; step < 6000; step += 1)
      square += 2 * 1.5 * Math.sin(((step + 0.5) * Math.PI) / 18000) * (Math.PI / 18000);
    return onlyOption(question, (text) => {
      const [over = 1, under = 1] = (text.replace('gL', '').match(/\d/g) ?? []).map(Number);
      return Math.abs(over / under - square) < 1e-3;
    });
  },
  // The work up to each place, in small steps.
  'jeemain-2026-01-01-s1-physics-05': (question) => {
    const force: ReadonlyArray<readonly [number, number]> = [
      [0, 0],
      [2, 4],
      [4, 4],
      [6, -4],
    ];
    const places = Array.from({ length: 60 }, (_, index) => (index + 1) / 10);
    const energies = places.map((end) => 4 + integral((x) => between(x, force), 0, end));
    return optionStating(question, Math.sqrt(Math.max(...energies)));
  },
  // The work of gravity, with g = R = 1.
  'jeemain-2026-01-01-s1-physics-06': (question) => {
    const work = integral((r) => 1 / r ** 2, 1, 2) + integral((r) => r, 0.5, 1);
    return onlyOption(question, (text) => {
      const [over = 1, under = 1] = (text.match(/\d/g) ?? []).map(Number);
      return Math.abs(over / under - 2 * work) < 1e-3;
    });
  },
  // Ideal gas at four times the temperature and the same pressure.
  'jeemain-2026-01-01-s1-physics-11': (question) => {
    const density = 1 / 4;
    const speed = Math.sqrt(4);
    const path = 1 / density;
    return matching(question, [speed, path, density, speed / path], [0.25, 0.5, 2, 4]);
  },
  // The straight line of the graph, continued to 15.
  'jeemain-2026-01-01-s1-physics-13': () => ((15 - 5) * 3) / (12.5 - 5),
  // Layers in series in each half, halves in parallel; eps0 A / d = 1.
  'jeemain-2026-01-01-s1-physics-14': () => {
    const layer = (constant: number, area: number, thickness: number): number =>
      (constant * area) / thickness;
    const left = layer(2, 0.5, 1);
    const right = reciprocalSum(layer(3, 0.5, 0.5), layer(1, 0.5, 0.5));
    return left + right;
  },
  // Count the orders whose direction lies inside the first minima.
  'jeemain-2026-01-01-s1-physics-15': () => {
    let count = 0;
    for (let n = -20; n <= 20; n += 1) if (Math.abs(n / 0.2) < 1 / 0.04 - 1e-9) count += 1;
    return count;
  },
  // Snell's law at the side face and at the top: the angle where the refracted ray at T just vanishes.
  'jeemain-2026-01-01-s1-physics-19': (question) => {
    const sine = bisect((s) => 1.25 * Math.sin(Math.PI / 2 - Math.asin(s / 1.25)) - 1, 0, 1);
    return onlyOption(
      question,
      (text) => Math.abs(Number(/\((0\.\d+)\)/.exec(text)?.[1]) - sine) < 0.005,
    );
  },
  'jeemain-2026-01-01-s1-physics-20': (question) =>
    optionStating(question, 5.4 + (5.4 * 4) / 216, 0.005),
  // Newton's second law for both bodies and the pulley.
  'jeemain-2026-01-01-s1-physics-21': () => {
    const excess = (a: number): number => 6 * (10 - a) - 2 * (10 + a) - (4 / 2) * a;
    const a = bisect(excess, 0, 10);
    return 6 * (10 - a) - 2 * (10 + a);
  },
  // The work of the axial field of the ring along the way to the centre.
  'jeemain-2026-01-01-s1-physics-22': () => {
    const force = (x: number): number => (9e9 * 5e-6 * 2e-6 * x) / (x ** 2 + 0.3 ** 2) ** 1.5;
    return Math.sqrt((2 * integral(force, 0, 0.4)) / 0.015);
  },
  // The voltage at which the currents of both cells add up to that of the resistor.
  'jeemain-2026-01-01-s1-physics-23': () => {
    const voltage = bisect((u) => (10 - u) / 2 + (4 - u) / 1 - u / (4 / 3), 0, 10);
    return voltage ** 2 / (4 / 3);
  },
  // The speed whose dynamic pressure is that of the liquids, and the fall in small steps.
  'jeemain-2026-01-01-s1-physics-24': () => {
    const speed = bisect((v) => 500 * v ** 2 - (800 * 10 * 1.5 + 1000 * 10 * 2), 0, 100);
    return 100 * speed * bisect((t) => 5 * t ** 2 - 0.8, 0, 10);
  },
  // Let the rod fall, step by step, until its speed is constant.
  'jeemain-2026-01-01-s1-physics-25': () => {
    let speed = 0;
    for (let i = 0; i < 100_000; i += 1) {
      const current = (0.2 * 0.5 * speed) / 0.4;
      speed += (10 - (0.2 * current * 0.5) / 0.05) * 1e-3;
    }
    return speed;
  },
};

/** The option that states `value` once `clean` has removed the symbols from its text. */
function optionWith(question: Question, value: number, clean: (text: string) => string): string {
  return onlyOption(
    question,
    (text) => Math.abs(quantity(clean(text)) - value) < 0.01 * Math.abs(value),
  );
}

/** `\frac{5R}{9}` without the symbol: `\frac{5}{9}`. */
function without(symbol: string): (text: string) => string {
  return (text) =>
    text.replace(new RegExp(`\\{(\\d*)${symbol}\\}`, 'g'), (_, digits) => `{${digits || 1}}`);
}

/** The option that matches each item of List-I with the equal item of List-II. */
function matching(
  question: Question,
  first: readonly unknown[],
  second: readonly unknown[],
): string {
  const printed = second.map((item) => JSON.stringify(item));
  const match = first.map((item, index) => {
    const at = printed.indexOf(JSON.stringify(item));
    return `${'ABCD'.charAt(index)}-${['I', 'II', 'III', 'IV'][at]}`;
  });
  return onlyOption(question, (text) => text.replace(/[()]/g, '') === match.join(', '));
}

/** The image distance of a thin lens, all distances with the Cartesian sign convention. */
function lensImage(object: number, focal: number): number {
  return 1 / (1 / focal + 1 / object);
}

/** Capacitances or resistances in series (capacitors) or in parallel (resistors). */
function reciprocalSum(...values: number[]): number {
  return 1 / values.reduce((sum, value) => sum + 1 / value, 0);
}
