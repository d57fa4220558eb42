/** 97.5 % point of the normal distribution. */
export const z95 = 1.959963984540054;
