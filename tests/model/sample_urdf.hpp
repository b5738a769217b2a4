// A URDF file with every element that the reader knows.
#pragma once

namespace tauflex {

inline constexpr const char* sample_urdf = R"(<?xml version="1.0"?>
<!-- an arm with a gripper; <!DOCTYPE in a comment is nothing -->
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base">
    <inertial>
      <mass value="4"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>
    </inertial>
    <visual name="foot">
      <origin xyz="0 0 0.05"/>
      <geometry><cylinder radius="0.1" length="0.1"/></geometry>
      <material name="grey"/>
    </visual>
    <collision><geometry><mesh filename="package://elsewhere/base.dae"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial>
      <origin xyz="0.2 0 0.1" rpy="0 0 1.5707963267948966"/>
      <mass value="2"/>
      <inertia ixx="0.01" ixy="0.001" ixz="0.002" iyy="0.02" iyz="0.003" izz="0.025"/>
    </inertial>
    <visual><geometry><box size="0.4 0.05 0.05"/></geometry></visual>
    <visual><geometry><sphere radius="0.06"/></geometry></visual>
    <visual><geometry><mesh filename="meshes/upper.stl" scale="0.001 0.001 -0.001"/></geometry></visual>
  </link>
  <link name="slider"/>
  <link name="left"/>
  <link name="right"/>
  <link name="camera"/>
  <link name="cart"/>
  <link name="bird"/>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/>
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 2 0"/>
    <limit lower="-1.5" upper="2" effort="80" velocity="3"/>
    <dynamics damping="0.7" friction="0.2"/>
    <safety_controller soft_lower_limit="-1" k_velocity="1"/>
    <calibration rising="0"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="upper"/>
    <child link="slider"/>
    <limit upper="+0.3"/>
  </joint>
  <joint name="finger_left" type="continuous">
    <parent link="slider"/>
    <child link="left"/>
    <axis xyz="0 0 1"/>
    <limit lower="0" upper="0" effort="5" velocity="1"/>
  </joint>
  <joint name="finger_right" type="continuous">
    <parent link="slider"/>
    <child link="right"/>
    <axis xyz="0 0 1"/>
    <mimic joint="finger_left" multiplier="-1" offset="0.1"/>
  </joint>
  <joint name="camera_mount" type="fixed">
    <parent link="slider"/>
    <child link="camera"/>
    <axis xyz="0 0 0"/>
  </joint>
  <joint name="wheels" type="planar">
    <parent link="base"/>
    <child link="cart"/>
    <axis xyz="0 1 0"/>
  </joint>
  <joint name="wings" type="floating">
    <parent link="base"/>
    <child link="bird"/>
  </joint>
  <transmission name="motor"><type>SimpleTransmission</type></transmission>
  <gazebo reference="upper"><mu1>0.2</mu1>anything &amp; text</gazebo>
</robot>
)";

}  // namespace tauflex
