import { element } from './elements.ts';

/** The value of the choice to enter another value. */
const other = '';

/** A list of choices for a path parameter. The last choice opens a field to enter another value. */
export class ChoiceField {
  readonly #select: HTMLSelectElement;
  readonly #input: HTMLInputElement;

  constructor(name: string) {
    this.#select = element(`try-${name}`, HTMLSelectElement);
    this.#input = element(`try-${name}-other`, HTMLInputElement);
    this.#select.addEventListener('input', () => {
      this.#showInput();
      if (!this.#input.hidden) this.#input.focus();
    });
    this.offer([...this.#select.options]);
  }

  get value(): string {
    return this.#input.hidden ? this.#select.value : this.#input.value;
  }

  /** Replaces the choices. The chosen value stays chosen if it is among them, or was entered. */
  offer(choices: readonly HTMLOptionElement[]): void {
    const chosen = this.#select.value;
    this.#select.replaceChildren(...choices, new Option('Something else…', other));
    this.#select.value = chosen;
    if (this.#select.selectedIndex < 0) this.#select.selectedIndex = 0;
    this.#showInput();
  }

  /** Requires a value while the field is shown: a hidden field must not block the form. */
  setShown(isShown: boolean): void {
    this.#input.required = isShown && !this.#input.hidden;
  }

  #showInput(): void {
    this.#input.hidden = this.#select.value !== other;
  }
}
