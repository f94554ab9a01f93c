/** Icons, drawn on a grid of 24 with strokes. They say nothing by themselves: a word stands beside. */

const PATHS = {
  overview: "M4 11.5 12 4l8 7.5M6 10v10h12V10",
  campaigns: "M4 5h16v11H9l-5 4z",
  tasks: "M9 6h11M9 12h11M9 18h11M4 6l1 1 2-2M4 12l1 1 2-2M4 18l1 1 2-2",
  leads:
    "M16 20v-1.5a4 4 0 0 0-4-4H7a4 4 0 0 0-4 4V20M9.5 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M18 8v6M21 11h-6",
  inbox: "M3 13h5l1.5 3h5L16 13h5M3 13l3-8h12l3 8v6H3z",
  experiments: "M9 3h6M10 3v6l-5.5 9.5A1.7 1.7 0 0 0 6 21h12a1.7 1.7 0 0 0 1.5-2.5L14 9V3M7.5 15h9",
  placement:
    "M12 21s7-6.5 7-11.5a7 7 0 1 0-14 0C5 14.5 12 21 12 21M12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5",
  accounts: "M3 6h18v12H3zM3 7l9 7 9-7",
  suppressions: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M5.7 5.7l12.6 12.6",
  developers: "M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16",
  activity: "M3 12h4l3-8 4 16 3-8h4",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  simulator: "M5 4v16l14-8z",
  check: "M5 12.5 10 17 19 7",
  warning: "M12 4 2.5 20h19zM12 10v4M12 17.5v.01",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l5 5",
  refresh: "M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6",
  more: "M6 12v.01M12 12v.01M18 12v.01",
  close: "M6 6l12 12M18 6 6 18",
  plus: "M12 5v14M5 12h14",
  right: "M9 6l6 6-6 6",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
