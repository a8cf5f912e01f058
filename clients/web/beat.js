// A worker with a timer: browsers slow down the timers of background pages to one call a
// second, but not those of workers. The message is the interval in milliseconds.

let timer = 0;

onmessage = ({ data }) => {
  clearInterval(timer);
  timer = setInterval(() => postMessage(0), data);
};
