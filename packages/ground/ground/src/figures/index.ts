export {
  figureChange,
  haveSpread,
  isAbove,
  isAtLeast,
  isInRange,
  isSameFigure,
  sumOfKnown,
} from './figures.ts';
