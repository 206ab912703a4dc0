import { between, bisect } from './mathematics.ts';
import { onlyOption, optionStating, type Solutions } from './solution.ts';

export const neetPhysics: Solutions = {
  // The widest interval of g = 2h/t^2 that the errors allow, before and after.
  'neet-2023-05-07-s1-physics-01': () => {
    const spread = (timeError: number): number => {
      const g = (height: number, time: number): number => (2 * height) / time ** 2;
      return g(1.002, 0.45 - timeError) - g(0.998, 0.45 + timeError);
    };
    return spread(0.009) / spread(0.0009);
  },
  // Step along the graph, summing velocity times time, until the position is back at zero.
  'neet-2023-05-07-s1-physics-02': () => {
    const velocity = (time: number): number =>
      between(time, [
        [0, 0],
        [2, 3],
        [4, 3],
        [8, -3],
        [12, -3],
      ]);
    const step = 1e-4;
    let time = 0;
    let position = 0;
    do {
      position += velocity(time + step / 2) * step;
      time += step;
    } while (position > 0);
    return time;
  },
  // Weight at the pole less weight at the equator is the centripetal force; the satellite needs all of g.
  'neet-2023-05-07-s1-physics-03': () => {
    const radius = 1;
    const spin = (2 * Math.PI) / 6;
    const poleGravity = bisect((g) => g - spin ** 2 * radius - 0.75 * g, 0, 100);
    const orbitalSpeed = Math.sqrt(poleGravity * radius);
    return (2 * Math.PI * radius) / orbitalSpeed;
  },
  // The plates come closer step by step, and the cell does the work V dq on the charge that flows.
  'neet-2023-05-07-s1-physics-04': () => {
    const voltage = 5;
    const charge = (gap: number): number => ((2 * 0.6) / gap) * voltage; // pC
    let work = 0;
    const steps = 1000;
    for (let i = 0; i < steps; i += 1) {
      const gap = 0.6 - (0.2 * i) / steps;
      work += voltage * (charge(gap - 0.2 / steps) - charge(gap));
    }
    return work;
  },
  // Scan the frequency for the least impedance.
  'neet-2023-05-07-s1-physics-05': () => {
    const impedance = (frequency: number): number => {
      const inductive = (40 * frequency) / 50;
      const capacitive = (90 * 50) / frequency;
      return Math.hypot(30, inductive - capacitive);
    };
    return least(impedance, 1, 500);
  },
  // Binding energy gained in one fusion; each fusion uses three helium nuclei.
  'neet-2023-05-07-s1-physics-06': () => {
    const released = (12 * 7.7 - 3 * 4 * 7.1) * 1.6e-13;
    return (3 * 1.92e26) / released;
  },
  // In the train's frame the bubble goes where the potential of weight and inertial force is highest.
  'neet-2024-05-05-s1-physics-01': () => {
    const radius = 3;
    const inertial = 0.4; // forwards, as the train is slowed down
    const potential = (arc: number): number =>
      10 * radius * Math.cos(arc / radius) - inertial * radius * Math.sin(arc / radius);
    return least((arc) => -potential(arc), -1, 1);
  },
  // First law, stepped: without heat, the work on the gas becomes internal energy; the gas law gives pressures.
  'neet-2024-05-05-s1-physics-02': () => {
    const freedom = 2 / (1.4 - 1);
    let [volume, temperature] = [1, 300];
    const pressure = (): number => temperature / 300 / volume;
    const steps = 200_000;
    const ratio = (1 / 32) ** (1 / steps);
    for (let step = 0; step < steps; step += 1) {
      const middle = (volume * (1 + ratio)) / 2;
      const warming = (-2 / freedom) * (temperature / middle) * (volume * ratio - volume);
      volume *= ratio;
      temperature += warming;
    }
    const hot = pressure();
    temperature = 300;
    return hot - pressure();
  },
  // The frequency of a stretched string goes as the root of its tension.
  'neet-2024-05-05-s1-physics-03': (question) => {
    const before = 355 - 5;
    const after = before * Math.sqrt(1.04);
    return optionStating(question, Math.abs(after - 355), 0.05);
  },
  // Kirchhoff's junction rule at P and Q, with the fuse as a small resistance, and again if it melts.
  'neet-2024-05-05-s1-physics-04': () => {
    const solve = (fuse: number): { battery: number; fuse: number } => {
      // (12 - p)/2 = p/6 + (p - q)/fuse and (12 - q)/6 + (p - q)/fuse = q/2
      const a = 1 / 2 + 1 / 6 + 1 / fuse;
      const b = -1 / fuse;
      const determinant = a * a - b * b;
      const p = ((12 / 2) * a - b * (12 / 6)) / determinant;
      const q = ((12 / 6) * a - b * (12 / 2)) / determinant;
      return { battery: (12 - p) / 2 + (12 - q) / 6, fuse: Math.abs(p - q) / fuse };
    };
    const intact = solve(1e-6);
    return intact.fuse > 1.5 ? solve(1e9).battery : intact.battery;
  },
  // Snell's law at the sloping face: find the index that turns the ray by the angle in the diagram.
  'neet-2024-05-05-s1-physics-05': () => {
    const incidence = Math.PI / 6; // the ray is normal to AB, so it meets AC at the angle A
    const deviation = (index: number): number => Math.asin(index * Math.sin(incidence)) - incidence;
    return bisect((index) => deviation(index) - Math.PI / 12, 1, 2);
  },
  // The truth table of the two gates, against what each option says.
  'neet-2024-05-05-s1-physics-06': (question) => {
    const nor = (first: boolean, second: boolean): boolean => !(first || second);
    const claims: Readonly<Record<string, (dry: boolean, rain: boolean) => boolean>> = {
      'whenever it does not rain, whether the soil is dry or not': (_dry, rain) => !rain,
      'whenever the soil is dry, whether it rains or not': (dry) => dry,
      'only when the soil is not dry and it rains': (dry, rain) => !dry && rain,
      'only when the soil is dry and it does not rain': (dry, rain) => dry && !rain,
    };
    const states = [false, true].flatMap((dry) => [false, true].map((rain) => ({ dry, rain })));
    return onlyOption(question, (text) => {
      const claim = claims[text];
      if (claim === undefined) throw new Error(`unknown option: ${text}`);
      return states.every(({ dry, rain }) => nor(nor(dry, dry), rain) === claim(dry, rain));
    });
  },
  // An account of the battery, in small steps of height up and down.
  'neet-2024-06-23-s1-physics-01': () => {
    let battery = 0;
    for (let metre = 0; metre < 300; metre += 1) battery -= (1e4 * 10) / 0.8;
    for (let metre = 0; metre < 300; metre += 1) battery += 1e4 * 10 * 0.5;
    return -battery;
  },
  // Rolling without slipping: turn the roller in small steps; its lowest point is at rest.
  'neet-2024-06-23-s1-physics-02': () => {
    const radius = 0.1;
    const turn = 1e-3;
    let roller = 0; // its axle, and the points where it touches floor and slab
    let front = 0; // the front edge of the slab
    while (roller > front - 3) {
      roller += radius * turn; // the axle is one radius from the point at rest
      front += 2 * radius * turn; // the highest point is two radii from it
    }
    return front;
  },
  // Floating: the pressure at the closed lower end carries the same weight before and after.
  'neet-2024-06-23-s1-physics-03': () => {
    const pressure = (oil: number, water: number): number => 0.8 * oil + water;
    return bisect((water) => pressure(5, water) - pressure(0, 9), 0, 20);
  },
  // Integrate the bounce of the loaded body over one period, from the lowest point to the lowest point.
  'neet-2024-06-23-s1-physics-04': () => {
    const stiffness = (600 * 10) / 0.02;
    const mass = 2400 + 600;
    const step = 1e-5;
    let time = 0;
    let height = -0.01;
    let speed = 0;
    let rising = true;
    for (;;) {
      speed -= (stiffness / mass) * height * step;
      height += speed * step;
      time += step;
      if (rising && speed < 0) rising = false;
      else if (!rising && speed > 0) return time;
    }
  },
  // Faraday's law: the flux through the part of the L inside the field, step by step, and the heat of the emf.
  'neet-2024-06-23-s1-physics-05': () => {
    const flux = (depth: number): number => {
      const foot = Math.min(depth, 0.2) * 0.1;
      const upright = Math.max(depth - 0.2, 0) * 0.3;
      return foot + upright;
    };
    const heat = (from: number, to: number): number => {
      const steps = 1000;
      const step = (to - from) / steps; // at unit speed depth is time
      let sum = 0;
      for (let i = 0; i < steps; i += 1) {
        const emf = (flux(from + (i + 1) * step) - flux(from + i * step)) / step;
        sum += emf ** 2 * step;
      }
      return sum;
    };
    return heat(0, 0.2) / heat(0.2, 0.3);
  },
  // Einstein's equation: a lamp matters when its electrons leave with more than the retarding 0.4 eV.
  'neet-2024-06-23-s1-physics-06': (question) => {
    const photons = { red: 1.9, green: 2.3, blue: 2.7 };
    const matters = Object.entries(photons)
      .filter(([, energy]) => energy - 2.1 > 0.4)
      .map(([lamp]) => lamp)
      .join();
    const claims: Readonly<Record<string, string>> = {
      'the blue lamp only': 'blue',
      'the green lamp only': 'green',
      'the green and the blue lamp, but not the red lamp': 'green,blue',
      'all three lamps': 'red,green,blue',
    };
    return onlyOption(question, (text) => claims[text] === matters);
  },
};

/** Where `f` is least between `low` and `high`: by scanning. */
function least(f: (x: number) => number, low: number, high: number): number {
  const steps = 100_000;
  let best = low;
  for (let i = 0; i <= steps; i += 1) {
    const x = low + ((high - low) * i) / steps;
    if (f(x) < f(best)) best = x;
  }
  return best;
}
