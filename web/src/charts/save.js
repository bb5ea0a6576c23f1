// <button data-save="file.json" data-from="id"> offers the JSON held in <script id="id"> as a file.
export function armSaveButtons() {
  for (const button of document.querySelectorAll('button[data-save]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const text = document.getElementById(button.dataset.from).textContent;
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], {type: 'application/json'}));
      link.download = button.dataset.save;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }
}
