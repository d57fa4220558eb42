import DefaultTheme from 'vitepress/theme';
import type { Theme } from 'vitepress';
import { h } from 'vue';
import { CopyPage } from './copy-page.ts';
import { keepChosenTab } from './keep-chosen-tab.ts';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(CopyPage) }),
  enhanceApp({ router }) {
    if (typeof document !== 'undefined') keepChosenTab(router);
  },
};

export default theme;
