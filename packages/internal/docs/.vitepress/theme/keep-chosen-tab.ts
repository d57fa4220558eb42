import type { Router } from 'vitepress';

const key = 'art-package-manager';

/** Shows all tabs of commands in the words of the manager of packages that a reader chose last, also on the next page. */
export function keepChosenTab(router: Router): void {
  const choose = (name: string): void => {
    for (const label of document.querySelectorAll<HTMLLabelElement>('.vp-code-group label'))
      if (label.textContent === name) {
        const input = document.getElementById(label.htmlFor) as HTMLInputElement | null;
        if (input?.checked === false) input.click();
      }
  };
  document.addEventListener('click', ({ target, isTrusted }) => {
    if (!isTrusted || !(target instanceof HTMLInputElement) || target.closest('.vp-code-group') === null)
      return;
    const name = document.querySelector(`label[for="${target.id}"]`)?.textContent ?? '';
    localStorage.setItem(key, name);
    choose(name);
  });
  const restore = (): void => {
    const name = localStorage.getItem(key);
    if (name !== null) requestAnimationFrame(() => choose(name));
  };
  const before = router.onAfterPageLoad;
  router.onAfterPageLoad = async (to) => {
    await before?.(to);
    restore();
  };
}
