"""Studies of many runs: same bytes on any engine and after any death, refusals in one sentence. PROGRAM SOURCE_FOLDER"""
import contextlib
import random
import resource

from program_case import *

SLIDE = """tauflex: 1
study:
  job:
    tauflex: 1
    robot: {gravity: [0, 0, 0], links: [{name: slide, joint: {parent: world, type: prismatic, axis: x}, drive: {rotor_inertia: 0}, mass: 2}]}
    task: {outputs: [slide], path: {line: {from: [0], to: [0.5]}, duration: 1, profile: polynomial5}}
    method: {exact: {step: 0.1}}
    verification: {tolerance: 1e-3, torque: smooth}
  sampling: {sobol: 300}
  vary: {verification.plant.links.slide.mass: x1..x1.2}
  within: verification.max_tool_error_m < 50 mm
"""
# OpenMPI starts as root, and more ranks than cores, only when told so.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
       "ASAN_OPTIONS": "detect_leaks=0"}  # OpenMPI's own
HAS_MPI = shutil.which("mpirun") and PROGRAM.with_name("tauflex_mpi").exists()


class SweepTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.job(SLIDE, "slide.yaml")

    def table(self, folder):
        return (self.folder / folder / "table.csv").read_bytes()

    known = None

    def reference(self):
        """The table and summary of one thread; made once."""
        if SweepTest.known is None:
            done = self.call("sweep", "slide.yaml", "-o", "one", "--jobs", "1")
            self.assertEqual(done.returncode, 0, done)
            self.assertFalse((self.folder / "one/rows.journal").exists())
            self.assertEqual(len(self.table("one").splitlines()), 301)
            SweepTest.known = self.table("one"), (self.folder / "one/summary.json").read_bytes()
        return SweepTest.known[0]

    def ranks(self, count, *arguments):
        return ["mpirun", "-n", str(count), str(PROGRAM), *arguments]

    def kill_and_resume(self, command, times, shortest, longest):
        """Starts it, kills it after a random time, starts it again. Returns how often it was killed at work."""
        killed = 0
        rng = random.Random(7)
        for _ in range(times):
            child = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(shortest, longest))
            killed += child.poll() is None
            child.kill()
            child.wait(timeout=60)
        return killed

    def test_threads_and_sudden_deaths_do_not_change_a_byte(self):
        reference = self.reference()
        self.assertEqual(self.call("sweep", "slide.yaml", "-o", "four", "--jobs", 4).returncode, 0)
        self.assertEqual(self.table("four"), reference)
        command = [str(PROGRAM), "sweep", "slide.yaml", "-o", "killed", "--resume", "--jobs", "2"]
        killed = self.kill_and_resume(command, 20, 0.02, 0.12)
        self.assertGreaterEqual(killed, 5, "the study was complete before it was killed")
        done = self.call(*command[1:])
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.table("killed"), reference)
        self.assertEqual((self.folder / "killed/summary.json").read_bytes(), SweepTest.known[1])
        # complete: nothing is made again
        self.assertEqual(self.call(*command[1:]).returncode, 0)
        self.assertEqual(self.table("killed"), reference)

    @unittest.skipUnless(HAS_MPI, "OpenMPI is not there")
    def test_ranks_do_not_change_a_byte(self):
        reference = self.reference()
        for count in (1, 2, 3):
            done = subprocess.run(self.ranks(count, "sweep", "slide.yaml", "-o", f"r{count}"), cwd=self.folder, env={**os.environ, **MPI},
                                  capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done)
            self.assertEqual(self.table(f"r{count}"), reference)
            self.assertEqual(done.stdout.count("300 runs"), 1, "only one rank talks")
        # a wrong study is refused once, by all
        done = subprocess.run(self.ranks(2, "sweep", "none.yaml"), cwd=self.folder, env={**os.environ, **MPI}, capture_output=True, text=True,
                              timeout=300)
        self.assertEqual((done.returncode, done.stderr.count("tauflex: none.yaml: no such file")), (3, 1), done)

    @unittest.skipUnless(HAS_MPI, "OpenMPI is not there")
    def test_sudden_deaths_of_ranks_do_not_change_a_byte(self):
        self.job(SLIDE.replace("sobol: 300", "sobol: 2000"), "long.yaml")
        command = self.ranks(2, "sweep", "long.yaml", "-o", "killed", "--resume")
        journal, rng, before, deaths = self.folder / "killed/rows.journal", random.Random(11), 0, 0
        # mpirun would wait two seconds for the other rank when one has died
        at_once = {**os.environ, **MPI, "OMPI_MCA_odls_base_sigkill_timeout": "0"}
        for _ in range(60):
            child = subprocess.Popen(command, cwd=self.folder, env=at_once, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            # dies when it has written a random number of new bytes; the rank that keeps the table as often as the other
            wanted = before + rng.randint(1, 1500)
            while child.poll() is None and not (journal.exists() and journal.stat().st_size >= wanted):
                time.sleep(0.001)
            ranks = self.ranks_of(child)
            if len(ranks) == 2:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(ranks[deaths % 2], signal.SIGKILL)
            said = child.communicate(timeout=60)[1]
            if child.returncode == 0:  # on a busy machine a study can be complete before it is killed: begin it anew
                shutil.rmtree(self.folder / "killed")
                before = 0
                continue
            self.assertEqual(len(ranks), 2, said)
            before, deaths = journal.stat().st_size, deaths + 1
            if deaths == 20:
                break
        self.assertEqual(deaths, 20, "the study was complete before it was killed")
        runs = [line.split(b" ")[1].split(b",")[0] for line in journal.read_bytes().splitlines()[1:] if b"," in line]
        self.assertGreater(len(runs), 20)
        self.assertEqual(len(set(runs)), len(runs), "a run was made twice")
        done = subprocess.run(command, cwd=self.folder, env={**os.environ, **MPI}, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.call("sweep", "long.yaml", "-o", "threads", "--jobs", "2").returncode, 0)
        for file in ("table.csv", "summary.json", "table.npz"):
            self.assertEqual((self.folder / "killed" / file).read_bytes(), (self.folder / "threads" / file).read_bytes(), file)

    @staticmethod
    def ranks_of(child):
        """Processes of the ranks of an mpirun; none when it has ended."""
        try:
            return sorted(int(pid) for pid in pathlib.Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split())
        except FileNotFoundError:
            return []

    def test_without_mpi_ranks_are_refused(self):
        alone = self.folder / "alone"
        alone.mkdir()
        shutil.copy(PROGRAM, alone / "tauflex")
        done = subprocess.run([alone / "tauflex", "sweep", "slide.yaml"], cwd=self.folder, env={**os.environ, "OMPI_COMM_WORLD_SIZE": "2"},
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("built without MPI", done.stderr)

    def test_a_full_disk_keeps_complete_rows(self):
        reference = self.reference()

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
        done = subprocess.run([PROGRAM, "sweep", "slide.yaml", "-o", "full", "--jobs", "2"], cwd=self.folder, capture_output=True, text=True,
                              preexec_fn=small_files, restore_signals=False, timeout=300)
        self.assertEqual(done.returncode, 3, done)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("all complete rows are kept", done.stderr)
        rows = (self.folder / "full/rows.journal").read_text().splitlines()
        self.assertGreater(len(rows), 20)
        self.assertEqual(self.call("sweep", "slide.yaml", "-o", "full", "--resume").returncode, 0)
        self.assertEqual(self.table("full"), reference)

    def refused_sweep(self, code, *parts, arguments=("slide.yaml", "-o", "x")):
        done = self.call("sweep", *arguments)
        self.assertEqual(done.returncode, code, done)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_what_is_there_is_respected(self):
        (self.folder / "x").mkdir()
        (self.folder / "x/table.csv").write_text("mine")
        self.refused_sweep(3, "x/table.csv", "not of an earlier study")
        self.assertEqual((self.folder / "x/table.csv").read_text(), "mine")
        (self.folder / "x/table.csv").unlink()
        self.kill_and_resume([str(PROGRAM), "sweep", "slide.yaml", "-o", "x", "--jobs", "1"], 1, 0.4, 0.4)
        self.refused_sweep(3, "unfinished study", "--resume")
        self.job(SLIDE.replace("x1.2", "x1.3"), "slide.yaml")
        self.refused_sweep(3, "x/study.yaml", "changed since it was begun", "x1..x1.2", "x1..x1.3", arguments=("slide.yaml", "-o", "x", "--resume"))

    def test_jobs_and_studies_are_told_apart(self):
        self.refused_sweep(3, "this is a job, not a study", arguments=(SOURCE / "examples/e12.yaml",))
        done = self.call("run", "slide.yaml")
        self.assertEqual(done.returncode, 3)
        self.assertIn("use tauflex sweep", done.stderr)
        self.refused_sweep(3, "1e+12 runs", arguments=("slide.yaml", "--set", "study.sampling={sobol: 1e12}"))

    def test_the_table_as_arrays(self):
        import numpy
        job = SLIDE.replace("sobol: 300", "latin_hypercube: 40").replace("x1..x1.2}", "-0.3..0.7, method: {values: [{jets: {}}, {exact: {step: 0.05}}]}}")
        job = job.replace("verification.plant.links.slide.mass", "robot.links.slide.mass")
        done = self.call("sweep", self.job(job, "some.yaml"), "-o", "some", "--json")
        self.assertEqual(done.returncode, 0, done)
        arrays = numpy.load(self.folder / "some/table.npz")
        with open(self.folder / "some/table.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(arrays.files, [name for name in rows[0] if name != "message"])
        for name in arrays.files:
            for said, row in zip(arrays[name], rows, strict=True):
                if arrays[name].dtype.kind == "U":
                    self.assertEqual(said, row[name])
                else:
                    self.assertTrue(said == float(row[name]) if row[name] else numpy.isnan(said), (name, said, row))
        self.assertEqual([arrays[name].dtype.str[1] for name in ("run", "status", "exit_code", "robot.links.slide.mass", "method")], ["i", "U", "i", "f", "U"])
        self.assertEqual(json.loads(done.stdout)["failed"], 12)  # three of ten masses are negative
        self.assertEqual(numpy.isnan(arrays["verification.max_tool_error_m"]).sum(), 12)
        self.assertIn("mass", json.loads(done.stdout)["first_failure"])

    def test_examples(self):
        done = self.call("sweep", SOURCE / "examples/study_stiffness.yaml", "-o", "stiffness", "--set", "study.sampling={sobol: 3}", "--json")
        self.assertEqual(done.returncode, 0, done)
        said = json.loads(done.stdout)
        self.assertEqual((said["runs"], said["failed"], len(said["parameters"]), said["solved_once"]), (3, 0, 6, True))
        worst = said["worst_runs"][0]
        record = json.loads((self.folder / f"stiffness/run_{worst}/record.json").read_text())
        self.assertEqual(record["verification"]["max_tool_error_m"], said["kept"][0]["largest"])  # the job in the folder gives the same bits
        again = self.call("run", f"stiffness/run_{worst}/job.yaml", "-o", "again", "--json")
        self.assertEqual(json.loads(again.stdout)["verification"]["max_tool_error_m"], said["kept"][0]["largest"])
        self.assertEqual(self.call("check", SOURCE / "examples/study_gear.yaml").returncode, 3)
        gear = self.call("design", SOURCE / "examples/study_gear.yaml", "-o", "gear", "--json", "--set", "study.design.looks=3", "--set",
                         "study.design.tolerance=0.5")
        self.assertEqual(gear.returncode, 0, gear)
        found = json.loads(gear.stdout)["found"]
        self.assertTrue(found["keeps"] and found["kept"]["rigid.max_tool_error_m"] < 1e-4)
        payload = self.call("sweep", SOURCE / "examples/study_payload.yaml", "-o", "payload", "--json", "--set", "study.sampling={grid: 2}")
        self.assertEqual(json.loads(payload.stdout)["failed"], 0, payload)


if __name__ == "__main__":
    unittest.main()
