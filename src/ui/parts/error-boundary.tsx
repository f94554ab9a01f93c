/** A page that fails to draw says so in its place; the frame round it goes on working. */

import { Component, type ComponentChildren } from "preact";
import { errorOf } from "../lib/data.ts";
import { place } from "../lib/route.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icons.tsx";

interface Failure {
  error: Error | undefined;
  /** The address at which it failed; another one gets another chance. */
  at: string;
}

export class ErrorBoundary extends Component<{ children: ComponentChildren }, Failure> {
  override state: Failure = { error: undefined, at: "" };

  override componentDidCatch(cause: unknown): void {
    this.setState({ error: errorOf(cause), at: place.peek() });
  }

  override render() {
    const { error, at } = this.state;
    if (error === undefined || at !== place.value) {
      return this.props.children;
    }
    return (
      <div class="state" role="alert">
        <Icon name="warning" />
        <h1>Something went wrong on this page</h1>
        <p>Your data hasn’t changed. The browser reported: {error.message}</p>
        <Button onClick={() => this.setState({ error: undefined, at: "" })}>Try again</Button>
      </div>
    );
  }
}
