/** Signs that are written for the minus of ASCII, hyphens that do not break among them. */
export const minusSigns = /[−‐‑﹣－]/g;
