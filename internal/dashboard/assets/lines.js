// Lines by uPlot, small and without axes; what they show is also said in words.

const charts = new Set();
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function line(container, { span, max, fill }) {
  const size = () => ({ width: Math.max(40, container.clientWidth), height: Math.max(20, container.clientHeight) });
  const plot = new uPlot({
    ...size(),
    pxAlign: false,
    padding: [2, 1, 2, 1],
    cursor: { show: false },
    legend: { show: false },
    axes: [{ show: false }, { show: false }],
    scales: {
      x: { time: false, range: (_, __, to) => [to - span, to] },
      y: { range: (_, from, to) => (max ? [Math.max(0, Math.min(from ?? 0, 0.9 * max) - 0.05), max] : [0, Math.max(1, (to || 0) * 1.1)]) },
    },
    series: [{}, {
      stroke: () => color("--good"),
      fill: fill ? () => color("--good-faint") : undefined,
      width: 1.5,
      spanGaps: true,
      points: { show: false },
    }],
  }, [[], []], container);
  const resized = new ResizeObserver(() => container.clientWidth && plot.setSize(size()));
  resized.observe(container);
  charts.add(plot);
  return {
    data: (xs, ys) => plot.setData([xs, ys]),
    gone: () => {
      resized.disconnect();
      charts.delete(plot);
      plot.destroy();
    },
  };
}

export function recolor() {
  for (const plot of charts) plot.redraw(false, true);
}
