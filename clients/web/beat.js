// A worker that keeps time: pages in the background have their own timers slowed
// down to one a second, workers do not. The message is the pause in milliseconds.

let timer = 0;

onmessage = ({ data }) => {
  clearInterval(timer);
  timer = setInterval(() => postMessage(0), data);
};
