import { bisect } from './mathematics.ts';
import { optionStating, type Solutions } from './solution.ts';

export const neetPhysics: Solutions = {
  // The widest interval of g = 2h/t^2 that the errors allow, before and after.
  'neet-2024-01-01-s1-physics-01': () => {
    const spread = (timeError: number): number => {
      const g = (height: number, time: number): number => (2 * height) / time ** 2;
      return g(1.002, 0.45 - timeError) - g(0.998, 0.45 + timeError);
    };
    return spread(0.009) / spread(0.0009);
  },
  // Weight at the pole less weight at the equator is the centripetal force; the satellite needs all of g.
  'neet-2024-01-01-s1-physics-06': () => {
    const radius = 1;
    const spin = (2 * Math.PI) / 6;
    const poleGravity = bisect((g) => g - spin ** 2 * radius - 0.75 * g, 0, 100);
    const orbitalSpeed = Math.sqrt(poleGravity * radius);
    return (2 * Math.PI * radius) / orbitalSpeed;
  },
  // The plates come closer step by step, and the cell does the work V dq on the charge that flows.
  'neet-2024-01-01-s1-physics-03': () => {
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
  'neet-2024-01-01-s1-physics-04': () => {
    const impedance = (frequency: number): number => {
      const inductive = (40 * frequency) / 50;
      const capacitive = (90 * 50) / frequency;
      return Math.hypot(30, inductive - capacitive);
    };
    return least(impedance, 1, 500);
  },
  // Binding energy gained in one fusion; each fusion uses three helium nuclei.
  'neet-2024-01-01-s1-physics-07': () => {
    const released = (12 * 7.7 - 3 * 4 * 7.1) * 1.6e-13;
    return (3 * 1.92e26) / released;
  },
  // In the train's frame the bubble goes where the potential of weight and inertial force is highest.
  'neet-2024-03-01-s1-physics-10': () => {
    const radius = 3;
    const inertial = 0.4; // forwards, as the train is slowed down
    const potential = (arc: number): number =>
      10 * radius * Math.cos(arc / radius) - inertial * radius * Math.sin(arc / radius);
    return least((arc) => -potential(arc), -1, 1);
  },
  // The frequency of a stretched string goes as the root of its tension.
  'neet-2024-03-01-s1-physics-03': (question) => {
    const before = 355 - 5;
    const after = before * Math.sqrt(1.04);
    return optionStating(question, Math.abs(after - 355), 0.05);
  },
  // Snell's law at the sloping face: find the index that turns the ray by the angle in the diagram.
  'neet-2024-03-01-s1-physics-12': () => {
    const incidence = Math.PI / 6; // the ray is normal to AB, so it meets AC at the angle A
    const deviation = (index: number): number => Math.asin(index * Math.sin(incidence)) - incidence;
    return bisect((index) => deviation(index) - Math.PI / 12, 1, 2);
  },
  // An account of the battery, in small steps of height up and down.
  'neet-2024-03-01-s1-physics-01': () => {
    let battery = 0;
    for (let metre = 0; metre < 300; metre += 1) battery -= (1e4 * 10) / 0.8;
    for (let metre = 0; metre < 300; metre += 1) battery += 1e4 * 10 * 0.5;
    return -battery;
  },
  // Rolling without slipping: turn the roller in small steps; its lowest point is at rest.
  'neet-2024-03-01-s1-physics-02': () => {
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
  'neet-2024-03-01-s1-physics-08': () => {
    const pressure = (oil: number, water: number): number => 0.8 * oil + water;
    return bisect((water) => pressure(5, water) - pressure(0, 9), 0, 20);
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
