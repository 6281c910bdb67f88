// SPDX-License-Identifier: BSL-1.0
// Script of the HTML report: draws the line charts if a chart library is in the page, and the Gantt
// picture on a canvas in any case. It fetches nothing. When all is drawn, the root element carries
// data-drawn with the number of charts, for tests and for nobody else.
#pragma once

#include <berth/core/config.hpp>

#include <string_view>

BERTH_NAMESPACE_BEGIN

namespace sim::detail {

inline constexpr std::string_view html_script = R"js(
'use strict';
(() => {
  const root = document.documentElement;
  window.addEventListener('error', event => { root.dataset.error = event.message; });
  const data = JSON.parse(document.getElementById('data').textContent);
  const colour = name => getComputedStyle(root).getPropertyValue(name).trim();
  const dashes = [[], [8, 4], [2, 4], [10, 4, 2, 4], [5, 3], [14, 4], [3, 3], [6, 2, 2, 2]];
  const instants = [[1, '1 s'], [10, '10 s'], [60, '1 min'], [600, '10 min'], [3600, '1 h'],
    [86400, '1 d'], [864000, '10 d'], [8640000, '100 d'], [86400000, '1000 d']];
  const readable = s => s < 120 ? `${+s.toFixed(1)} s` : s < 7200 ? `${(s / 60).toFixed(1)} min`
    : s < 172800 ? `${(s / 3600).toFixed(1)} h` : `${(s / 86400).toFixed(1)} d`;

  let charts = [];
  function drawCharts() {
    charts.forEach(chart => chart.destroy());
    charts = [];
    if (typeof Chart === 'undefined') return;
    Chart.defaults.animation = false;
    Chart.defaults.color = colour('--quiet');
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    for (const canvas of document.querySelectorAll('canvas[data-curve]')) {
      const key = canvas.dataset.curve;
      const time = key !== 'load';
      const datasets = data.runs.map((run, at) => ({
        label: run.name, data: run[key].map(([x, y]) => ({x, y})), parsing: false,
        borderColor: colour(`--c${at % 8}`), backgroundColor: colour(`--c${at % 8}`),
        borderDash: dashes[at % 8], borderWidth: 2, pointRadius: 0, pointHitRadius: 6, tension: 0, clip: 3}));
      const grid = {color: colour('--rule'), borderColor: colour('--rule')};
      const title = text => ({display: true, text, color: colour('--quiet')});
      const x = time
        ? {type: 'logarithmic', min: 1, grid, title: title(canvas.dataset.x),
           afterBuildTicks: axis => { axis.ticks = instants.filter(([at]) => at <= axis.max).map(([value]) => ({value})); },
           ticks: {callback: value => (instants.find(([at]) => at === value) || [0, ''])[1], maxRotation: 0, autoSkip: true}}
        : {type: 'linear', min: 0, grid, title: title(canvas.dataset.x), ticks: {maxRotation: 0}};
      charts.push(new Chart(canvas, {type: 'line', data: {datasets}, options: {
        responsive: true, maintainAspectRatio: false, interaction: {mode: 'nearest', intersect: false},
        scales: {x, y: {min: 0, max: 100, grid, title: title(canvas.dataset.y), ticks: {stepSize: 25}}},
        plugins: {
          legend: {position: 'bottom', labels: {color: colour('--ink'), boxWidth: 28, boxHeight: 0}},
          tooltip: {callbacks: {
            title: () => '',
            label: item => `${item.dataset.label}: ${item.parsed.y.toFixed(1)} % `
              + (time ? `within ${readable(item.parsed.x)}` : `busy at ${item.parsed.x.toFixed(1)} h`)}}}}}));
    }
  }

  const canvas = document.getElementById('gantt');
  const chooser = document.getElementById('which');
  const where = document.getElementById('where');
  let cursor = null;
  const margin = {left: 96, right: 12, top: 6, bottom: 34};
  const shade = gpus => gpus <= 1 ? '--g0' : gpus <= 4 ? '--g1' : gpus <= 8 ? '--g2' : gpus <= 16 ? '--g3' : '--g4';
  const current = () => data.runs[Number(chooser.value)];
  const held = (grid, row, column) => {
    let from = 0;
    const line = grid.rows[row].cells;
    for (let at = 0; at < line.length; at += 2) {
      if (column < from + line[at]) return {job: line[at + 1], from, to: from + line[at]};
      from += line[at];
    }
    return {job: -1, from: column, to: column + 1};
  };
  function geometry(grid) {
    const box = canvas.getBoundingClientRect();
    return {width: box.width, height: box.height,
      cell: (box.width - margin.left - margin.right) / grid.columns,
      row: (box.height - margin.top - margin.bottom) / grid.rows.length};
  }
  function axisStep(hours, room) {
    const steps = [1 / 60, 1 / 12, 1 / 4, 1, 2, 6, 12, 24, 48, 120, 240, 480, 1200, 2400, 4800];
    return steps.find(step => hours / step <= Math.max(2, room / 90)) || hours;
  }
  function drawGantt() {
    if (!canvas) return;
    const grid = current().gantt;
    const size = geometry(grid);
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(size.width * ratio);
    canvas.height = Math.round(size.height * ratio);
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    pen.clearRect(0, 0, size.width, size.height);
    const right = size.width - margin.right;
    const bottom = size.height - margin.bottom;
    pen.fillStyle = colour('--idle');
    pen.fillRect(margin.left, margin.top, right - margin.left, bottom - margin.top);
    const fills = new Map(['--g0', '--g1', '--g2', '--g3', '--g4'].map(name => [name, colour(name)]));
    const picked = cursor ? held(grid, cursor.row, cursor.column).job : -1;
    const edge = colour('--panel');
    const pick = colour('--pick');
    const gap = size.row > 4 ? 1 : 0;
    grid.rows.forEach((row, at) => {
      let column = 0;
      const top = margin.top + at * size.row;
      for (let part = 0; part < row.cells.length; part += 2) {
        const job = row.cells[part + 1];
        const width = row.cells[part] * size.cell;
        if (job >= 0) {
          const left = margin.left + column * size.cell;
          pen.fillStyle = job === picked ? pick : fills.get(shade(grid.jobs[job][1]));
          pen.fillRect(left, top, width, Math.max(size.row - gap, 0.5));
          if (width > 3) { pen.fillStyle = edge; pen.fillRect(left, top, 0.75, size.row - gap); }
        }
        column += row.cells[part];
      }
    });
    pen.fillStyle = colour('--quiet');
    pen.font = '12px ' + getComputedStyle(document.body).fontFamily;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    const every = Math.max(1, Math.ceil(18 / size.row));
    grid.rows.forEach((row, at) => {
      if (at % every === 0) pen.fillText(`node ${row.node} · ${row.gpu}`, margin.left - 8, margin.top + (at + 0.5) * size.row);
    });
    pen.textAlign = 'center';
    const step = axisStep(grid.hours, right - margin.left);
    for (let hour = 0; hour <= grid.hours * 1.0001; hour += step) {
      const x = margin.left + hour / grid.hours * (right - margin.left);
      pen.fillRect(x - 0.5, bottom, 1, 4);
      const text = hour === 0 ? '0' : step >= 24 ? `${Math.round(hour / 24)} d` : step >= 1 ? `${Math.round(hour)} h` : `${Math.round(hour * 60)} min`;
      if (x < right - 10 || hour === 0) pen.fillText(text, x, bottom + 12);
    }
    pen.fillText('time since the first submission', (margin.left + right) / 2, bottom + 27);
    if (cursor) {
      pen.strokeStyle = colour('--ink');
      pen.lineWidth = 1.5;
      pen.strokeRect(margin.left + cursor.column * size.cell - 2, margin.top + cursor.row * size.row - 2,
        Math.max(size.cell, 2) + 4, Math.max(size.row, 2) + 4);
    }
  }
  function tell() {
    const grid = current().gantt;
    const row = grid.rows[cursor.row];
    const part = held(grid, cursor.row, cursor.column);
    const at = column => readable(column / grid.columns * grid.hours * 3600);
    where.textContent = `Node ${row.node}, GPU ${row.gpu}, ${at(part.from)} to ${at(part.to)}: `
      + (part.job < 0 ? 'idle' : `job ${grid.jobs[part.job][0]}, ${grid.jobs[part.job][1]} GPU${grid.jobs[part.job][1] === 1 ? '' : 's'}`);
  }
  function move(row, column) {
    const grid = current().gantt;
    cursor = {row: Math.min(Math.max(row, 0), grid.rows.length - 1),
      column: Math.min(Math.max(column, 0), grid.columns - 1)};
    drawGantt();
    tell();
  }
  if (canvas) {
    chooser.addEventListener('change', () => { cursor = null; where.textContent = ''; drawGantt(); });
    canvas.addEventListener('pointermove', event => {
      const grid = current().gantt;
      const size = geometry(grid);
      const box = canvas.getBoundingClientRect();
      const column = Math.floor((event.clientX - box.left - margin.left) / size.cell);
      const row = Math.floor((event.clientY - box.top - margin.top) / size.row);
      if (column >= 0 && row >= 0 && column < grid.columns && row < grid.rows.length) move(row, column);
    });
    canvas.addEventListener('keydown', event => {
      const grid = current().gantt;
      const {row, column} = cursor || {row: 0, column: 0};
      const part = held(grid, row, column);
      const target = {ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, part.from - 1],
        ArrowRight: [row, part.to], Home: [row, 0], End: [row, grid.columns - 1]}[event.key];
      if (event.key === 'Escape') { cursor = null; where.textContent = ''; drawGantt(); }
      if (!target) return;
      event.preventDefault();
      move(...(cursor ? target : [0, 0]));
    });
    window.addEventListener('resize', drawGantt);
  }
  function draw() {
    drawCharts();
    drawGantt();
    root.dataset.drawn = String(charts.length + document.querySelectorAll('svg.chart').length);
    root.dataset.gantt = canvas ? 'drawn' : 'none';
  }
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  draw();
})();
)js";

}  // namespace sim::detail

BERTH_NAMESPACE_END
