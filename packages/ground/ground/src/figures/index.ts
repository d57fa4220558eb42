export { figureChange, haveSpread, isAbove, isAtLeast, isInRange, isSameFigure } from './figures.ts';
