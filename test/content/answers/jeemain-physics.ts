import { bisect, integral } from './mathematics.ts';
import { optionStating, type Solutions } from './solution.ts';

export const jeemainPhysics: Solutions = {
  'jeemain-2024-01-01-s1-physics-06': () => {
    const flux = (degrees: number): number =>
      200 * 0.04 * 25e-4 * Math.cos((degrees * Math.PI) / 180);
    return (flux(0) - flux(120)) / 12 / 1e-3;
  },
  // Dimensions of power: mass times length squared over time cubed.
  'jeemain-2024-01-01-s1-physics-01': () => {
    const [gram, centimetre, millisecond] = [1e-3, 1e-2, 1e-3];
    return 0.5 / ((gram * centimetre ** 2) / millisecond ** 3);
  },
  // Conservation of momentum, first for the throw and then for the catch.
  'jeemain-2024-01-01-s1-physics-02': () => {
    const afterThrow = (-4 * 6) / 56;
    const afterCatch = (56 * afterThrow + 4 * -6) / (56 + 4);
    return Math.abs(afterCatch);
  },
  // Hooke's law with the exact geometry of the two halves, each 5 m long at first.
  'jeemain-2024-01-01-s1-physics-03': () => {
    const load = (sag: number): number => {
      const half = Math.hypot(5, sag);
      return (2 * (half - 5) * sag) / half;
    };
    return 100 * bisect((sag) => load(sag) - 8 * load(0.3), 0, 5);
  },
  // Newton's laws for the axle and about it, the moment of inertia summed over thin tubes: the friction that
  // rolling needs is compared with the friction that there can be.
  'jeemain-2026-04-01-s1-physics-05': () => {
    const largestForce = (shell: number, sand: number): number => {
      const mass = shell + sand;
      const inertia = shell + integral((r) => 2 * sand * r * r ** 2, 0, 1);
      // Rolling: F - f = M a and f R = I a / R; the radius, g and the coefficient of friction are 1.
      const friction = (force: number): number => (inertia * force) / (mass + inertia);
      return bisect((force) => friction(force) - mass, 0, 100);
    };
    return largestForce(1, 2) / largestForce(1, 0);
  },
  // Einstein's equation: a thousand electrons at a time leave, until the fastest cannot climb out any more.
  'jeemain-2026-04-01-s1-physics-17': (question) => {
    const fastest = 5 - 2;
    let lost = 0;
    const potential = (): number => -2 + (9e9 * lost * 1.6e-19) / 9e-3;
    while (potential() < fastest) lost += 1000;
    // Two figures are printed.
    return optionStating(question, lost, 0.03);
  },
  // First law of thermodynamics; the work is summed along the paths. Litres times kilopascals are joules.
  'jeemain-2026-04-01-s1-physics-22': () => {
    const [a, b, c] = [
      [1, 100],
      [4, 300],
      [1, 300],
    ] as [Vector, Vector, Vector];
    const work = (from: Vector, to: Vector): number =>
      integral((part) => (from[1] + (to[1] - from[1]) * part) * (to[0] - from[0]), 0, 1);
    const gainOfEnergy = 3350 - work(a, b);
    const takenIn = -gainOfEnergy + work(b, c) + work(c, a);
    return -takenIn;
  },
  // A ray close to the axis, traced through both spherical faces by Snell's law.
  'jeemain-2026-04-01-s1-physics-24': () => {
    const height = 1e-3;
    // Angles to the axis, upwards positive; a face bulging to the left has its centre at +20.
    const refract = (angle: number, centre: number, before: number, after: number): number => {
      const normal = -Math.asin(height / centre);
      return normal + Math.asin((before / after) * Math.sin(angle - normal));
    };
    const inGlass = refract(Math.atan2(height, 60), 20, 1, 1.5);
    const inWater = refract(inGlass, -20, 1.5, 4 / 3);
    return height / Math.tan(-inWater);
  },
  // Screw gauge: the least count is the pitch over the number of divisions; three folds make eight layers.
  'jeemain-2026-04-01-s1-physics-01': () => {
    const leastCount = 0.5 / 50;
    let layers = 1;
    for (let fold = 0; fold < 3; fold += 1) layers += layers;
    return (1.0 + (28 - 8) * leastCount) / layers;
  },
  // Conservation of energy: A moves twice as far and twice as fast as B.
  'jeemain-2026-04-01-s1-physics-04': () => {
    const [massA, massB, fall] = [3, 8, 0.8];
    const released = massB * 10 * fall - massA * 10 * (2 * fall) * Math.sin(Math.PI / 6);
    const kinetic = (speed: number): number =>
      (massB * speed ** 2) / 2 + (massA * (2 * speed) ** 2) / 2;
    return bisect((speed) => kinetic(speed) - released, 0, 100);
  },
  // What is joined to earth takes the charge that makes its potential zero; k = 1, centimetres.
  'jeemain-2026-04-01-s1-physics-11': () => {
    let sphere = 500;
    let shell = 0;
    for (let turn = 0; turn < 3; turn += 1) {
      shell = bisect((charge) => charge / 10 + sphere / 10, -1000, 1000);
      sphere = bisect((charge) => charge / 6 + shell / 10, -1000, 1000);
    }
    return sphere;
  },
  // Newton's third law: the force B I l on the wire presses on the magnet, one way and then the other.
  'jeemain-2024-01-01-s1-physics-11': () => {
    const change = (field: number): number => 2 * field * 2.0 * 0.05;
    const stated = (0.2015 - 0.1985) * 10;
    return 1000 * bisect((field) => change(field) - stated, 0, 10);
  },
  // Binding energies of the products less that of the nucleus; free neutrons have none.
  'jeemain-2026-04-01-s1-physics-25': () => {
    const products: [number, number][] = [
      [95, 8.6],
      [145, 8.2],
      [1, 0],
      [1, 0],
    ];
    const nucleons = products.reduce((sum, [number]) => sum + number, 0);
    const binding = products.reduce((sum, [number, each]) => sum + number * each, 0);
    return binding - nucleons * 7.5;
  },
  // Rolling down, the drag balances the weight's part along the road; climbing, the pedals beat both.
  'jeemain-2026-04-01-s1-physics-03': () => {
    const slope = (80 * 10) / 20;
    const coefficient = bisect((factor) => factor * 10 ** 2 - slope, 0, 10);
    return (slope + coefficient * 5 ** 2) * 5;
  },
  // Newton's law of gravitation: the radius is searched for at which the period is 3 % shorter.
  'jeemain-2026-04-01-s1-physics-06': (question) => {
    const speed = (radius: number): number => Math.sqrt(1 / radius);
    const period = (radius: number): number => (2 * Math.PI * radius) / speed(radius);
    const radius = bisect((guess) => period(guess) - 0.97 * period(1), 0.5, 1);
    // Two figures are printed.
    return optionStating(question, (speed(radius) / speed(1) - 1) * 100, 0.03);
  },
  // Both lengths that give five beats; of these, the one for which a shorter pipe beats more slowly.
  'jeemain-2026-04-01-s1-physics-10': () => {
    const open = 330 / (2 * 0.66);
    const beats = (length: number): number => Math.abs(330 / (4 * length) - open);
    const lengths = [
      bisect((length) => 330 / (4 * length) - (open + 5), 0.1, 1),
      bisect((length) => 330 / (4 * length) - (open - 5), 0.1, 1),
    ].filter((length) => beats(length - 1e-4) < beats(length));
    return 100 * (lengths[0] ?? Number.NaN);
  },
  // Conservation of angular momentum; the radius is 1, and the floor pushes with the centripetal acceleration.
  'jeemain-2026-04-01-s1-physics-21': () => {
    const before = Math.sqrt(8.1);
    const after = bisect((rate) => 450 * rate - (450 + 50) * before, 0, 100);
    return after ** 2;
  },
  // Hydrostatics: the pressure below the curved surface is the same in both cases; in the lift g + a acts.
  'jeemain-2026-04-01-s1-physics-07': () => {
    const capillary = 1000 * 10 * 0.06;
    const pressure = (length: number): number => 1000 * (10 + 2) * length * Math.cos(Math.PI / 3);
    return 100 * bisect((length) => pressure(length) - capillary, 0, 1);
  },
  // Interference: one fringe passes for every wavelength of extra optical path.
  'jeemain-2026-04-01-s1-physics-16': () => {
    const fringes = (excess: number): number => (excess * 0.05) / 600e-9;
    return bisect((full) => fringes(full / 2) - 30, 0, 0.1);
  },
  // Intensity: power over the sphere's surface, and half epsilon0 c times the square of the field's amplitude.
  'jeemain-2026-04-01-s1-physics-15': (question) => {
    const c = 3e8;
    const epsilon0 = 8.854e-12;
    const power = 4 * Math.PI * 100 ** 2 * ((epsilon0 * c * 6 ** 2) / 2);
    const intensity = power / 4 / (4 * Math.PI * 300 ** 2);
    // Two figures are printed.
    return optionStating(question, Math.sqrt((2 * intensity) / (epsilon0 * c)) / c, 0.03);
  },
  // Power of the falling water. The text does not state g: with 10 m/s^2 the turbine feeds 300 lamps, with
  // 9.8 m/s^2 exactly 294, and both answers are accepted.
  'jeemain-2024-01-01-s1-physics-08': () => {
    const g = 10;
    const power = 0.5 * 15 * g * 20;
    return Math.floor(power / 5);
  },
  // Conduction: the temperature at which the same heat flows through both layers.
  'jeemain-2026-04-01-s1-physics-09': () => {
    const brick = 0.6 / 0.24;
    const foam = 0.03 / 0.06;
    const meeting = (inner: number, outer: number): number =>
      bisect((joint) => inner * (20 - joint) - outer * (joint + 4), -4, 20);
    return meeting(brick, foam) - meeting(foam, brick);
  },
  // Motion of one drop from nozzle to basin, stepped; so long the nozzle's flow gathers in the air.
  'jeemain-2024-01-01-s1-physics-07': () => {
    const step = 1e-5;
    let [height, upwards, time] = [0, 10 * 0.6, 0];
    do {
      height += upwards * step - (10 * step ** 2) / 2;
      upwards -= 10 * step;
      time += step;
    } while (height > 0);
    return Math.round(2e-4 * 10 * time * 1e6);
  },
  // Ohm's law for several inner resistances: the number of cells must not depend on them.
  'jeemain-2024-01-01-s1-physics-10': () => {
    const fits = (cells: number): boolean =>
      [0, 0.1, 0.7].every((inner) => {
        const power = (emf: number): number => (emf / (3 + cells * inner)) ** 2 * 3;
        return Math.abs(power((cells - 2) * 1.5) / power(cells * 1.5) - 0.36) < 1e-9;
      });
    // A reversed cell among fewer than three would leave nothing to drive the current forwards.
    const found = Array.from({ length: 48 }, (_, index) => index + 3).filter(fits);
    return found.join(' or ');
  },
  // Impedance of resistance and capacitor; the capacitance is searched for that gives the lamp its 50 W.
  'jeemain-2026-04-01-s1-physics-14': () => {
    const lamp = 100 ** 2 / 50;
    const power = (capacitance: number, frequency: number): number => {
      const reactance = 1 / (2 * Math.PI * frequency * capacitance);
      return (200 / Math.hypot(lamp, reactance)) ** 2 * lamp;
    };
    const capacitance = bisect((guess) => power(guess, 50) - 50, 1e-7, 1e-3);
    return power(capacitance, 60);
  },
  // Superposition of the two waves, with opposite signs: the zeros of the amplitude are counted along the line.
  'jeemain-2024-01-01-s1-physics-09': () => {
    const wavenumber = (2 * Math.PI * 170) / 340;
    const loudness = (x: number): number => {
      const [near, far] = [wavenumber * x, wavenumber * (7.5 - x)];
      return Math.hypot(Math.cos(near) - Math.cos(far), Math.sin(near) - Math.sin(far));
    };
    const step = 1e-3;
    let silent = 0;
    for (let index = 1; index < 7.5 / step; index += 1) {
      const x = index * step;
      const here = loudness(x);
      const smallest = here <= loudness(x - step) && here < loudness(x + step);
      if (smallest && here < 0.01) silent += 1;
    }
    return silent;
  },
  // Coulomb's field summed over the side wall, as a part of the whole flux.
  'jeemain-2026-04-01-s1-physics-23': () => {
    const field = (distance: number): number => 1 / (4 * Math.PI * distance ** 2);
    const strip = (depth: number): number => {
      const distance = Math.hypot(4, depth);
      return field(distance) * (4 / distance) * 2 * Math.PI * 4;
    };
    return 100 * integral(strip, 0, 3);
  },
};

type Vector = [number, number];
