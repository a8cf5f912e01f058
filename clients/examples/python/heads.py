"""Prints where the heads of all bodies are, in metres. Needs the program jointcast, nothing else."""
import json, subprocess
watch = subprocess.Popen(["jointcast", "watch", "--poses"], stdout=subprocess.PIPE)
for line in watch.stdout:
    pose = json.loads(line)
    print(pose["name"], pose["bones"]["head"]["position"])
