import { element } from '../../browser/elements.ts';

/** The value of the choice to write something else. */
const other = '';

export interface Option {
  readonly value: string;
  readonly text: string;
}

/** A list to choose a path parameter from; its last choice opens a field to write another value in. */
export class Choice {
  readonly #select: HTMLSelectElement;
  readonly #written: HTMLInputElement;

  /**
   * @param onWrite is called at each change of the value
   * @param onChoice is called when the person has chosen a value, or written one to its end
   */
  constructor(name: string, onWrite: () => void, onChoice: () => void = () => undefined) {
    this.#select = element(`try-${name}`, HTMLSelectElement);
    this.#written = element(`try-${name}-other`, HTMLInputElement);
    this.#select.addEventListener('change', () => {
      this.#openOther();
      if (!this.#written.hidden) this.#written.focus();
      onWrite();
      onChoice();
    });
    this.#written.addEventListener('input', onWrite);
    this.#written.addEventListener('change', onChoice);
  }

  get value(): string {
    return this.#written.hidden ? this.#select.value : this.#written.value;
  }

  /** Offers these values; what was chosen stays, where it is among them, or is something else. */
  offer(options: readonly Option[]): void {
    const chosen = this.#select.dataset['chosen'] ?? this.#select.value;
    delete this.#select.dataset['chosen'];
    this.#select.replaceChildren(
      ...options.map(({ value, text }) => new window.Option(text, value)),
      new window.Option('Something else…', other),
    );
    const isThere = chosen === other || options.some(({ value }) => value === chosen);
    this.#select.value = isThere ? chosen : (options[0]?.value ?? other);
    this.#openOther();
  }

  /** What stands in the page already, and something else. */
  offerAsWritten(): void {
    this.offer([...this.#select.options].map(({ value, text }) => ({ value, text })));
  }

  /** Whether a value has to be written: what is not shown must not stop the form. */
  require(isShown: boolean): void {
    this.#written.required = isShown && !this.#written.hidden;
  }

  #openOther(): void {
    this.#written.hidden = this.#select.value !== other;
  }
}
