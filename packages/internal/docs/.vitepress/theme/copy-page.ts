import { useData, withBase } from 'vitepress';
import { defineComponent, h, ref } from 'vue';

/** A button that copies the Markdown of a page, and a link to it: what a coding agent reads best. */
export const CopyPage = defineComponent({
  setup() {
    const { page } = useData();
    const label = ref('Copy page');
    const address = (): string => withBase(`/${page.value.relativePath}`);
    const copy = async (): Promise<void> => {
      try {
        const answer = await fetch(address());
        if (!answer.ok) throw new Error(`${address()}: ${answer.status}`);
        await navigator.clipboard.writeText(await answer.text());
        label.value = 'Copied';
      } catch {
        label.value = 'Not copied';
      }
      setTimeout(() => (label.value = 'Copy page'), 2_000);
    };
    return () =>
      h('p', { class: 'copy-page' }, [
        h('button', { type: 'button', 'aria-live': 'polite', onClick: copy }, label.value),
        h('a', { href: address(), target: '_blank' }, 'Markdown'),
      ]);
  },
});
