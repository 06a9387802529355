export type Unsubscribe = () => void;

/// A list of listeners. A listener that throws does not keep the others from being told.
export class Emitter<Arguments extends unknown[], Answer = void> {
  private listeners: ((...args: Arguments) => Answer)[] = [];

  on(listener: (...args: Arguments) => Answer): Unsubscribe {
    this.listeners = [...this.listeners, listener];
    return () => {
      this.listeners = this.listeners.filter((other) => other !== listener);
    };
  }

  /// Tells all present listeners and gives their answers; an exception becomes a rejected promise, which the host reports.
  emit(...args: Arguments): Answer[] {
    const answers: Answer[] = [];
    for (const listener of this.listeners) {
      try {
        answers.push(listener(...args));
      } catch (error) {
        void Promise.reject(error);
      }
    }
    return answers;
  }
}
