/** On paper, every fold is open, and charts are as wide as the sheet. */

function each<Found extends Element>(selector: string, act: (found: Found) => void): void {
  document.querySelectorAll<Found>(selector).forEach(act);
}

/** Until what it returns is called. */
export function printWhole(): () => void {
  const ended = new AbortController();
  const on = (name: string, act: () => void) => addEventListener(name, act, ended);
  on("beforeprint", () => {
    each<HTMLDetailsElement>(".fold:not([open], .screen-only)", (fold) => {
      fold.open = true;
      fold.dataset["printed"] = "";
    });
    each<SVGSVGElement>(".chart > svg", (chart) => {
      const { clientWidth: width, clientHeight: height } = chart;
      chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
      chart.setAttribute("width", `${width}`);
    });
  });
  on("afterprint", () => {
    each<HTMLDetailsElement>(".fold[data-printed]", (fold) => {
      fold.open = false;
      delete fold.dataset["printed"];
    });
    each(".chart > svg", (chart) => {
      chart.removeAttribute("viewBox");
      chart.removeAttribute("width");
    });
  });
  return () => ended.abort();
}
