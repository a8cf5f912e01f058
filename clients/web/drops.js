// Files that are dropped anywhere on a page.

const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');

/** The names of files, for a message. @param {File[]} files */
export const namesOf = (files) => files.map(({ name }) => name).join(', ');

/**
 * @param {(shown: boolean) => void} announce while files are dragged over the page
 * @param {(files: File[]) => void} take dropped files, at least one; none while a dialog is open
 */
export function acceptDrops(announce, take) {
  let depth = 0;
  const isBusy = () => document.querySelector('dialog[open]') !== null;
  addEventListener('dragenter', (event) => {
    if (hasFiles(event) && ++depth > 0)
      announce(!isBusy());
  });
  addEventListener('dragleave', (event) => {
    if (hasFiles(event) && --depth <= 0)
      announce(false);
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    depth = 0;
    announce(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0 && !isBusy())
      take(files);
  });
}
