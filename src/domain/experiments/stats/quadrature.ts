/**
 * Gauss-Legendre rules on [−1, 1], and the running integral from −1 to each node of one: what a panel of a
 * composite rule needs to give a density's integral and its distribution function from the same values.
 *
 * Source: Legendre's recurrence with Newton's method; Abramowitz and Stegun 25.4.29.
 */

export interface Rule {
  readonly nodes: Float64Array;
  readonly weights: Float64Array;
}

const NEWTON_STEPS_MAX = 100;

/** The rule of `size` nodes, ascending; exact for polynomials below degree 2 `size`. */
export function gaussLegendre(size: number): Rule {
  const nodes = new Float64Array(size);
  const weights = new Float64Array(size);
  for (let index = 0; index < size; index += 1) {
    let x = -Math.cos((Math.PI * (index + 0.75)) / (size + 0.5));
    let slope = 0;
    for (let step = 0; step < NEWTON_STEPS_MAX; step += 1) {
      const [own = 0, before = 0] = legendre(size, x).slice(-2).toReversed();
      slope = (size * (x * own - before)) / (x * x - 1);
      const change = own / slope;
      x -= change;
      if (Math.abs(change) < 1e-16) {
        break;
      }
    }
    nodes[index] = x;
    weights[index] = 2 / ((1 - x * x) * slope * slope);
  }
  return { nodes, weights };
}

/** Legendre's polynomials of degree 0 to `degree` at `x`. */
function legendre(degree: number, x: number): number[] {
  const values = [1, x];
  for (let n = 1; n < degree; n += 1) {
    const [own = 0, before = 0] = [values[n], values[n - 1]];
    values.push(((2 * n + 1) * x * own - n * before) / (n + 1));
  }
  return values.slice(0, degree + 1);
}

/**
 * Row by row, the weights that integrate from −1 to each node of `rule` the polynomial through the values at
 * its nodes. By Legendre's series: the integral of P_n from −1 is (P_(n+1) − P_(n−1))/(2n + 1).
 */
export function runningWeights({ nodes, weights }: Rule): Float64Array {
  const size = nodes.length;
  const atNodes = Array.from(nodes, (node) => legendre(size, node));
  const rows = new Float64Array(size * size);
  for (const [row, values] of atNodes.entries()) {
    for (const [column, others] of atNodes.entries()) {
      let sum = (1 + (nodes[row] ?? 0)) / 2;
      for (let n = 1; n < size; n += 1) {
        sum += ((others[n] ?? 0) * ((values[n + 1] ?? 0) - (values[n - 1] ?? 0))) / 2;
      }
      rows[row * size + column] = sum * (weights[column] ?? 0);
    }
  }
  return rows;
}
