/** Windows that meet every width and every color scheme: what a width moves and what a scheme paints do not depend on each other. */
export const windows = [
  { width: 320, colorScheme: 'light' },
  { width: 1200, colorScheme: 'dark' },
] as const;
