import fc from 'fast-check';

// The same cases in every run: what a check finds is there for the author of the change. New ones are looked for by the fuzzers.
fc.configureGlobal({ seed: 20_260_101 });
