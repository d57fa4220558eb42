import { render } from 'preact';
import { exportedSource } from './data/exported-source.ts';
import { servedSource } from './data/served-source.ts';
import { App } from './app.tsx';

const root = document.querySelector('#page')!;
root.replaceChildren();
render(<App source={exportedSource() ?? servedSource} />, root);
