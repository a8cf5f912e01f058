// Files that are dropped anywhere on a page.

const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');

/**
 * @param {(shown: boolean) => void} announce while files are dragged over the page
 * @param {(file: File) => void} take a dropped file; none while a dialog is open
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
    const [file] = event.dataTransfer?.files ?? [];
    if (file && !isBusy())
      take(file);
  });
}
