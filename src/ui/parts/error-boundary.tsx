/** A page that fails to draw says so in its place; the frame round it goes on working. */

import { Component, type ComponentChildren } from "preact";
import { place } from "../lib/route.ts";
import { Icon } from "./icons.tsx";

interface Failure {
  error: Error | undefined;
  /** The address at which it failed; another one gets another chance. */
  at: string;
}

export class ErrorBoundary extends Component<{ children: ComponentChildren }, Failure> {
  override state: Failure = { error: undefined, at: "" };

  override componentDidCatch(cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    this.setState({ error, at: place.peek() });
  }

  override render() {
    const { error, at } = this.state;
    if (error === undefined || at !== place.value) {
      return this.props.children;
    }
    return (
      <div class="state" role="alert">
        <Icon name="warning" />
        <h1>This page could not be drawn</h1>
        <p>Nothing was changed by it. What the browser said: {error.message}</p>
        <button
          type="button"
          class="button"
          onClick={() => this.setState({ error: undefined, at: "" })}
        >
          Draw it again
        </button>
      </div>
    );
  }
}
